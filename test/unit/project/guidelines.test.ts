import { readFileSync } from 'node:fs';
import { verificationPage, withGuidelines } from '../../../tools/docs/verification';
import { guidelines } from '../../verify/guidelines';

describe('The guidelines of n8n', () => {
	it('are all on the page about verification, which is up to date', () => {
		const page = readFileSync(verificationPage, 'utf8');
		expect(withGuidelines(page)).toBe(page);
		for (const { name } of guidelines) expect(page).toContain(name);
	});
});
