import { ownValue } from '../../util/ownValue.ts';
import { literal, scriptString } from '../literals.ts';
import type { Place } from './place.ts';

/** Code on lines of its own. Each of its levels is indented by two spaces. */
export interface Program {
  /** Each is one line, as if it were the only import. */
  readonly imports: readonly string[];
  /** The script of a component if `code` is its markup. */
  readonly setup?: string;
  /** The name of the React component, if `code` declares only that. */
  readonly component?: string;
  readonly code: string;
}

const PLAYER_TAG = 'controls muted playsinline';
const HLS_JS = "import Hls from 'hls.js';";
const CDN = 'https://cdn.jsdelivr.net/npm/hls.js@1';

/** Returns a video element for a page. `id` is the stream's. */
export function videoElement(url: string, id: string): Program {
  const element = `stream-${id}`;
  const code = `<video id="${element}" ${PLAYER_TAG}></video>
<script src="${CDN}"></script>
<script>
  {
    const video = document.getElementById(${scriptString(element)});
    const source = ${scriptString(url)};
    if (Hls.isSupported()) {
      const hls = new Hls();
      hls.loadSource(source);
      hls.attachMedia(video);
    } else {
      video.src = source;
    }
  }
</script>`;
  return { imports: [], code };
}

/** Returns the service's player for a page. @param url as in `SnippetFacts`: without quotes */
export function iframe(url: string, name: string): Program {
  const code = `<iframe
  src="${url}"
  title="${literal(name, 'html')}"
  allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
  style="aspect-ratio: 16 / 9; width: 100%; border: 0"
></iframe>`;
  return { imports: [], code };
}

/** Returns a React, Vue, or Svelte component. */
export function component(url: string, { languageId, depth, isTypeScript = false }: Place): Program {
  if (languageId === 'vue') return vueComponent(url, isTypeScript);
  if (languageId === 'svelte') return svelteComponent(url, isTypeScript);
  const element = languageId === 'typescriptreact' ? '<HTMLVideoElement>' : '';
  const code = `${depth === 0 ? 'export ' : ''}function LivePlayer() {
  const video = useRef${element}(null);
  useEffect(() => {
    if (video.current === null) return;
    const hls = new Hls();
    hls.loadSource(${literal(url, languageId)});
    hls.attachMedia(video.current);
    return () => hls.destroy();
  }, []);
  return <video ref={video} controls muted playsInline />;
}`;
  return { imports: [HLS_JS, "import { useEffect, useRef } from 'react';"], component: 'LivePlayer', code };
}

function vueComponent(url: string, isTypeScript: boolean): Program {
  const setup = `const video = useTemplateRef${isTypeScript ? '<HTMLVideoElement>' : ''}('video');
const hls = new Hls();
onMounted(() => {
  hls.loadSource(${scriptString(url)});
  if (video.value) hls.attachMedia(video.value);
});
onBeforeUnmount(() => hls.destroy());`;
  const imports = [HLS_JS, "import { onBeforeUnmount, onMounted, useTemplateRef } from 'vue';"];
  return { imports, setup, code: `<video ref="video" ${PLAYER_TAG}></video>` };
}

function svelteComponent(url: string, isTypeScript: boolean): Program {
  const setup = `function play(video${isTypeScript ? ': HTMLVideoElement' : ''}) {
  const hls = new Hls();
  hls.loadSource(${scriptString(url)});
  hls.attachMedia(video);
  return { destroy: () => hls.destroy() };
}`;
  // Svelte warns about a video without captions.
  const code = `<!-- svelte-ignore a11y_media_has_caption -->\n<video use:play ${PLAYER_TAG}></video>`;
  return { imports: [HLS_JS], setup, code };
}

/** Returns code that plays in the video element of a page. */
export function hlsJs(url: string, { languageId, fileLanguageId }: Place): Program {
  // A page has no bundler to resolve a package by its name.
  if (fileLanguageId === 'html') {
    const code = `import('${CDN}/dist/hls.mjs').then(({ default: Hls }) => {
  const video = document.querySelector('video');
  const hls = new Hls();
  hls.loadSource(${scriptString(url)});
  hls.attachMedia(video);
});`;
    return { imports: [], code };
  }
  if (languageId === fileLanguageId) {
    const code = `const video = document.querySelector('video');
const source = ${literal(url, languageId)};
if (video !== null && Hls.isSupported()) {
  const hls = new Hls();
  hls.loadSource(source);
  hls.attachMedia(video);
} else if (video !== null) {
  video.src = source;
}`;
    return { imports: [HLS_JS], code };
  }
  // The element doesn't exist yet when the script of a component runs.
  const code = `function playStream(video${languageId === 'typescript' ? ': HTMLVideoElement' : ''}) {
  const hls = new Hls();
  hls.loadSource(${scriptString(url)});
  hls.attachMedia(video);
}`;
  return { imports: [HLS_JS], code };
}

/** Returns a platform's own player, or the one that's commonly used there. */
export function platformPlayer(url: string, { languageId, depth }: Place): Program | undefined {
  return ownValue(PLATFORM_PLAYERS, languageId)?.(literal(url, languageId), depth > 0);
}

const PLAYER_NAMES: Readonly<Record<string, string>> = {
  swift: 'AVPlayer',
  kotlin: 'ExoPlayer',
  dart: 'video_player',
};

export function playerName(languageId: string): string {
  return ownValue(PLAYER_NAMES, languageId) ?? '';
}

/** The URL is a literal. */
const PLATFORM_PLAYERS: Readonly<Record<string, (url: string, isNested: boolean) => Program>> = {
  swift: (url) => ({
    imports: ['import AVKit', 'import SwiftUI'],
    code: `struct LivePlayer: View {
  @State private var player = AVPlayer(url: URL(string: ${url})!)

  var body: some View {
    VideoPlayer(player: player)
      .onAppear { player.play() }
      .onDisappear { player.pause() }
  }
}`,
  }),
  kotlin: (url) => ({
    imports: [
      'import androidx.media3.common.MediaItem',
      'import androidx.media3.exoplayer.ExoPlayer',
      'import androidx.media3.ui.PlayerView',
    ],
    code: `// Needs androidx.media3:media3-exoplayer-hls and androidx.media3:media3-ui.
fun playStream(view: PlayerView): ExoPlayer {
  val player = ExoPlayer.Builder(view.context).build()
  view.player = player
  player.setMediaItem(MediaItem.fromUri(${url}))
  player.prepare()
  player.play()
  return player
}`,
  }),
  dart: (url, isNested) => ({
    imports: [
      ...(isNested ? [] : ["import 'package:flutter/widgets.dart';"]),
      "import 'package:video_player/video_player.dart';",
    ],
    code: isNested
      ? `final player = VideoPlayerController.networkUrl(Uri.parse(${url}))
  ..initialize()
  ..play();`
      : flutterWidget(url),
  }),
};

function flutterWidget(url: string): string {
  return `class LivePlayer extends StatefulWidget {
  const LivePlayer({super.key});

  @override
  State<LivePlayer> createState() => _LivePlayerState();
}

class _LivePlayerState extends State<LivePlayer> {
  final player = VideoPlayerController.networkUrl(Uri.parse(${url}));

  @override
  void initState() {
    super.initState();
    player.initialize().then((_) {
      if (!mounted) return;
      setState(() {});
      player.play();
    });
  }

  @override
  void dispose() {
    player.dispose();
    super.dispose();
  }

  @override
  Widget build(BuildContext context) {
    return AspectRatio(aspectRatio: player.value.aspectRatio, child: VideoPlayer(player));
  }
}`;
}
