import { startCheckPage } from './check/checkPage.ts';
import { startDeliveryPage } from './delivery/deliveryPage.ts';
import { openPage } from './openPage.ts';

const page = openPage();
if (page.name === 'delivery') startDeliveryPage(page);
else startCheckPage(page);
