import { takeListenLock } from '../../../src/model/webhooks/listenLock.ts';

/** Takes the lock of a URL, says whether it could, and keeps it until it is killed. */
const lock = await takeListenLock(process.argv[2] ?? '');
process.stdout.write(lock === undefined ? 'in use\n' : 'taken\n');
setInterval(() => {}, 60_000);
