import type { OpenPage } from '../openPage.ts';
import type { ToPlayer } from './messages.ts';
import { mountPlayer } from './mountPlayer.ts';

export function startPlayerPage(page: OpenPage): void {
  const player = mountPlayer({
    isStream: page.subject.kind === 'stream',
    isPart: false,
    position: page.position,
    keep: page.keep,
    say: page.say,
  });
  document.body.classList.add('playerTab');
  document.body.replaceChildren(player.header, player.element);
  page.listen<ToPlayer>(player.hear, player.hasShown);
}
