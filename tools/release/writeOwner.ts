import { readFileSync, writeFileSync } from 'node:fs';
import { filesOfOthers, readOwner, withOwner } from './owner';

/** `npm run owner`: writes the owner in `owner.json` into all files that name an owner. */
const owner = readOwner();
for (const file of filesOfOthers(owner)) {
	writeFileSync(file, withOwner(readFileSync(file, 'utf8'), owner));
	console.log(`Wrote ${file}`);
}
