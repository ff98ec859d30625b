import packageFile from '../../../package.json';
import { filesOfOthers, filesWithOwner, readOwner, reasonsNotToPublish } from '../../../tools/release/owner';
import { reasonsNotToRelease } from '../../../tools/release/version';

describe('A version', () => {
	it.each([
		['v1.2.3', '## 1.2.3 (2026-01-31)', []],
		[undefined, '## 1.2.3 (2026-01-31)', []],
		['v1.2.4', '## 1.2.3 (2026-01-31)', ['The tag is v1.2.4, but the version in package.json is 1.2.3.']],
		['v1.2.3', '## 1.2.3 (unreleased)', ['CHANGELOG.md has no dated entry for 1.2.3.']],
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
		// Another owner would be written into each of them.
		expect(filesOfOthers(someone)).toEqual(filesWithOwner());
		expect(filesWithOwner().length).toBeGreaterThan(13);
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
