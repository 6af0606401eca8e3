import { openPage } from '../openPage.ts';
import { startCheckPage } from './checkPage.ts';

startCheckPage(openPage());
