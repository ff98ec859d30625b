import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import packageFile from '../../../package.json';
import { folders } from '../../../tools/host/folders';
import {
	filesOfOthers,
	filesWithOwner,
	readOwner,
	reasonsNotToPublish,
	withOwner,
} from '../../../tools/release/owner';
import { reasonsNotToRelease } from '../../../tools/release/version';
import { nightlyParts } from '../../nightly/parts';

/** What runs on GitHub: the workflows, and the scripts that they call. */
const commands = ['.github/workflows', '.ci']
	.flatMap((folder) => readdirSync(path.join(folders.project, folder)).map((file) => `${folder}/${file}`))
	.map((file) => readFileSync(path.join(folders.project, file), 'utf8'))
	.join('\n');
const all = (pattern: RegExp) => [...commands.matchAll(pattern)].map(([, found]) => found);

describe('The workflows', () => {
	it('run scripts, files, and parts that exist', () => {
		const scripts = all(/npm run ([\w:-]+)/g);
		expect(scripts).toContain('nightly');
		expect(scripts.filter((name) => !(name in packageFile.scripts))).toEqual([]);
		const files = all(/run: \.ci\/(\w+)/g);
		expect(new Set(files)).toEqual(new Set(readdirSync(path.join(folders.project, '.ci'))));
		const parts = [...all(/--only (\w+)/g), ...all(/part: \[(.*)\]/g).flatMap((list) => list.split(', '))];
		const names = nightlyParts().map(({ name }) => name);
		expect(parts.filter((part) => !names.some((name) => name.includes(part)))).toEqual([]);
	});
});

describe('A version', () => {
	it.each([
		['v1.2.3', '## 1.2.3 (2026-01-31)', []],
		[undefined, '## 1.2.3 (2026-01-31)', []],
		['v1.2.4', '## 1.2.3 (2026-01-31)', ['The tag is v1.2.4, but the version in package.json is 1.2.3.']],
		['v1.2.3', '## 1.2.3 (unreleased)', ['CHANGELOG.md has no dated entry for 1.2.3.']],
		['v1.2.3', '## 1.2.30 (2026-01-31)', ['CHANGELOG.md has no dated entry for 1.2.3.']],
	])('with the tag %s and %s is refused for %j', (tag, changelog, reasons) => {
		expect(reasonsNotToRelease('1.2.3', `# Changelog\n\n${changelog}\n`, tag)).toEqual(reasons);
	});
});

const someone = {
	organization: 'someone',
	repository: 'n8n-nodes-of-someone',
	contactName: 'Some One',
	contactEmail: 'some@one.org',
	arePlaceholders: false,
};

describe('The owner of the package', () => {
	it('is entered in one file, and all others agree', () => {
		expect(filesOfOthers(readOwner())).toEqual([]);
		expect(filesWithOwner().length).toBeGreaterThan(13);
	});

	it('is replaced everywhere', () => {
		for (const file of filesWithOwner()) {
			const before = readFileSync(path.join(folders.project, file), 'utf8');
			const after = withOwner(before, someone);
			expect(after).not.toBe(before);
			expect(after).not.toContain(readOwner().organization + '/');
			expect(after).toContain('github.com/someone/n8n-nodes-of-someone');
		}
		const manifest = readFileSync(path.join(folders.project, 'package.json'), 'utf8');
		expect(JSON.parse(withOwner(manifest, someone))).toEqual(
			expect.objectContaining({
				name: 'n8n-nodes-unified-ai-gateway',
				author: { name: 'Some One', email: 'some@one.org' },
				private: false,
			}),
		);
	});

	it('keeps the package private, which npm refuses to publish, as long as it is a placeholder', () => {
		expect(packageFile.private).toBe(readOwner().arePlaceholders);
	});

	it('can publish only if nothing is a placeholder, and all files agree', () => {
		expect(reasonsNotToPublish(someone, [])).toEqual([]);
		expect(reasonsNotToPublish(someone, ['package.json'])).toEqual([
			'package.json names another owner. Run npm run owner.',
		]);
		for (const unfinished of [{ arePlaceholders: true }, { contactEmail: 'me@company.example' }]) {
			expect(reasonsNotToPublish({ ...someone, ...unfinished }, [])).toEqual([
				expect.stringContaining('are placeholders'),
			]);
		}
	});
});
