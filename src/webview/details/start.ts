import type { OpenPage } from '../openPage.ts';
import { mountPlayer, type PlayerMount } from '../player/mountPlayer.ts';
import { DetailsPage } from './detailsPage.ts';
import type { Button, FromDetails, Shown, ToDetails } from './messages.ts';

export function startDetailsPage(page: OpenPage): void {
  const say = (said: FromDetails): void => page.say(said);
  const player = page.subject.kind === 'session' ? mountPart(page, say) : undefined;
  const press = ({ act }: Button): void => {
    say({ kind: 'press', act: act === 'reveal' && details.isRevealed ? 'hide' : act });
  };
  const open = (session: string): void => say({ kind: 'press', act: 'openRecording', session });
  const details = new DetailsPage({ press, open }, player?.element);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) details.hide();
  });
  let shown: Shown | undefined;
  page.listen<ToDetails>(
    (message) => {
      if (message.kind === 'player') return player?.hear(message.message);
      if (message.kind === 'show') {
        shown = message.shown;
        details.show(shown);
        if (shown.kind === 'notice') player?.stop();
      } else if (message.kind === 'reveal') details.reveal(message.secrets);
      else details.hide();
    },
    () => shown !== undefined && (shown.kind === 'notice' || player?.hasShown() !== false),
  );
}

function mountPart({ position, keep }: OpenPage, say: (said: FromDetails) => void): PlayerMount {
  return mountPlayer({
    isStream: false,
    isPart: true,
    position,
    keep,
    say: (said) => say({ kind: 'player', said }),
  });
}
