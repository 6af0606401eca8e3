#!/bin/sh
# Makes the test pattern that test broadcasts send, to viewers of real streams: 12 seconds of color bars with a counter, a
# sweeping line, and a tone, as an MP4 that can be played while it loads. Needs ffmpeg and the DejaVu fonts.
# What the demo's streams show is made by test/scripts/demoClips.ts.
set -eu
cd "$(dirname "$0")"
font=/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf

draw="drawbox=x=0:y=ih*0.68:w=iw:h=ih:color=0x15202b:t=fill"
draw="$draw,drawtext=fontfile=$font:text='%{eif\:floor(t)\:d\:2}':x=(w-tw)/2:y=h*0.72:fontsize=h*0.18:fontcolor=white"
draw="$draw,drawtext=fontfile=$font:text='TEST':x=w*0.04:y=h*0.76:fontsize=h*0.09:fontcolor=0x7fd1ae"
source_video="smptehdbars=size=640x360:rate=15:duration=12"
sweep="color=c=white:size=4x16:rate=15:duration=12"
tone="aevalsrc=0.2*sin(2*PI*440*t)*between(mod(t\,1)\,0\,0.25)+0.05*sin(2*PI*220*t):s=44100:d=12"
graph="[0:v]$draw[bars];[bars][1:v]overlay=x='W*t/12':y=H-h-4:shortest=1,format=yuv420p"

ffmpeg -v error -y -f lavfi -i "$source_video" -f lavfi -i "$sweep" -f lavfi -i "$tone" \
  -filter_complex "$graph[v]" -map '[v]' -map 2:a \
  -c:v libx264 -profile:v main -level 3.0 -preset veryslow -crf 30 -g 30 -keyint_min 30 -sc_threshold 0 -bf 0 \
  -c:a aac -b:a 16k -ac 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1 -movflags +faststart source.mp4
