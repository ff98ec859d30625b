import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesOfOthers, readOwner, reasonsNotToPublish } from './owner';
import { reasonsNotToRelease } from './version';

/** Refuses a release while a part of it is unfinished. `.ci/publish` runs this first. */
const read = (file: string) => readFileSync(path.resolve(__dirname, '../..', file), 'utf8');
const owner = readOwner();
const { version } = JSON.parse(read('package.json')) as { version: string };
const reasons = [
	...reasonsNotToPublish(owner, filesOfOthers(owner)),
	...reasonsNotToRelease(version, read('CHANGELOG.md'), process.env.TAG),
];
for (const reason of reasons) console.error(reason);
process.exitCode = reasons.length > 0 ? 1 : 0;
