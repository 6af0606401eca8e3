#!/bin/sh
# Makes the demo's media again: 12 seconds of colour bars with a counter, a sweeping line and a tone, as two HLS renditions
# cut into segments of 2 s, an MP4 that can be played while it loads, and a thumbnail. Needs ffmpeg and the DejaVu fonts.
# The results are committed (segments as .mpegts, so that nothing takes them for TypeScript, and all in one file,
# because a package of few files installs faster). What it prints are the sizes in src/demo/site.ts; the live
# playlists there rely on 6 segments of exactly 2 s. The MP4 is what test broadcasts send, to viewers of real streams.
set -eu
cd "$(dirname "$0")"
font=/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf
rm -f ./*.mpegts ./*.mp4 ./*.jpg

draw="drawbox=x=0:y=ih*0.68:w=iw:h=ih:color=0x15202b:t=fill"
draw="$draw,drawtext=fontfile=$font:text='%{eif\:floor(t)\:d\:2}':x=(w-tw)/2:y=h*0.72:fontsize=h*0.18:fontcolor=white"
draw="$draw,drawtext=fontfile=$font:text='TEST':x=w*0.04:y=h*0.76:fontsize=h*0.09:fontcolor=0x7fd1ae"
source_video="smptehdbars=size=640x360:rate=15:duration=12"
sweep="color=c=white:size=4x16:rate=15:duration=12"
tone="aevalsrc=0.2*sin(2*PI*440*t)*between(mod(t\,1)\,0\,0.25)+0.05*sin(2*PI*220*t):s=44100:d=12"
graph="[0:v]$draw[bars];[bars][1:v]overlay=x='W*t/12':y=H-h-4:shortest=1,format=yuv420p"

render() { # width height crf audio_rate output
  ffmpeg -v error -y -f lavfi -i "$source_video" -f lavfi -i "$sweep" -f lavfi -i "$tone" \
    -filter_complex "$graph,scale=$1:$2[v]" -map '[v]' -map 2:a \
    -c:v libx264 -profile:v main -level 3.0 -preset veryslow -crf "$3" -g 30 -keyint_min 30 -sc_threshold 0 -bf 0 \
    -c:a aac -b:a "$4" -ac 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1 -movflags +faststart "$5"
}

segment() { # input name
  ffmpeg -v error -y -i "$1" -c copy -fflags +bitexact -f hls -hls_time 2 -hls_list_size 0 \
    -hls_segment_filename "$2%d.mpegts" playlist.m3u8
  rm playlist.m3u8
}

render 640 360 30 32k source.mp4
render 640 360 30 16k high.mp4
render 320 180 32 16k low.mp4
segment high.mp4 high
segment low.mp4 low
wc -c high[0-5].mpegts low[0-5].mpegts
cat high[0-5].mpegts low[0-5].mpegts > segments.mpegts
rm high.mp4 low.mp4 high[0-5].mpegts low[0-5].mpegts
ffmpeg -v error -y -ss 5 -i source.mp4 -frames:v 1 -vf scale=320:-2 -q:v 5 -bitexact thumbnail.jpg
