import './validLanguage.ts';

import { startDetailsPage } from './details/detailsPage.ts';
import { openPage } from './openPage.ts';
import { startPlayerPage } from './player/player.ts';
import { closePopovers } from './popovers.ts';

const page = openPage();
if (page.name === 'player') startPlayerPage(page);
else startDetailsPage(page);
window.addEventListener('blur', closePopovers);
