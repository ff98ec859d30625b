import { filesOfOthers, readOwner, reasonsNotToPublish } from './owner';

/** `npm publish` runs this first: it refuses while the owner of the package is a placeholder. */
const owner = readOwner();
const reasons = reasonsNotToPublish(owner, filesOfOthers(owner));
for (const reason of reasons) console.error(reason);
process.exitCode = reasons.length > 0 ? 1 : 0;
