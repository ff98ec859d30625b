import { readFileSync } from 'node:fs';
import { verificationPage, withGuidelines } from '../../../tools/docs/verification';
import { lockFindings } from '../../verify/guidelineFacts';
import { guidelines } from '../../verify/guidelines';

describe('The guidelines of n8n', () => {
	it('are all on the page about verification, which is up to date', () => {
		const page = readFileSync(verificationPage, 'utf8');
		expect(withGuidelines(page)).toBe(page);
		for (const { name } of guidelines) expect(page).toContain(name);
	});

	it('have a link to the page that asks for them, or are our own', () => {
		const links = guidelines.flatMap(({ link }) => (link === undefined ? [] : [link]));
		expect(links.length).toBeGreaterThanOrEqual(15);
		expect(
			links.filter((link) => !/^https:\/\/(docs\.n8n\.io|github\.com\/n8n-io\/n8n)\//.test(link)),
		).toEqual([]);
	});

	it('allow only packages that are pinned by their content', () => {
		const lock = (entry: object) => JSON.stringify({ packages: { '': {}, 'node_modules/a': entry } });
		expect(lockFindings(lock({ integrity: 'sha512-abc' }), 'x')).toEqual([]);
		for (const entry of [
			{},
			{ integrity: 'sha1-abc' },
			{ integrity: 'sha512-abc', resolved: 'git+ssh://git@example.com/a.git' },
		]) {
			expect(lockFindings(lock(entry), 'x')).toHaveLength(1);
		}
	});
});
