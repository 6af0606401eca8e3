import './validLanguage.ts';

import { startDetailsPage } from './details/start.ts';
import { openPage } from './openPage.ts';
import { startPlayerPage } from './player/start.ts';

const page = openPage();
if (page.name === 'player') startPlayerPage(page);
else startDetailsPage(page);
