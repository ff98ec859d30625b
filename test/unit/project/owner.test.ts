import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
	filesOfOthers,
	filesWithOwner,
	readOwner,
	reasonsNotToPublish,
	withOwner,
} from '../../../tools/release/owner';

const project = path.resolve(__dirname, '../../..');
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
			const before = readFileSync(path.join(project, file), 'utf8');
			const after = withOwner(before, someone);
			expect(after).not.toBe(before);
			expect(after).not.toContain(readOwner().organization + '/');
			expect(after).toContain('github.com/someone/n8n-nodes-of-someone');
		}
		const manifest = JSON.parse(
			withOwner(readFileSync(path.join(project, 'package.json'), 'utf8'), someone),
		) as { name: string; author: object; private: boolean };
		expect(manifest.author).toEqual({ name: 'Some One', email: 'some@one.org' });
		expect(manifest.name).toBe('n8n-nodes-unified-ai-gateway');
		expect(manifest.private).toBe(false);
	});

	it('keeps the package private, which npm refuses to publish, as long as it is a placeholder', () => {
		const { private: isPrivate } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
			private: boolean;
		};
		expect(isPrivate).toBe(readOwner().arePlaceholders);
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
