import { inEnglish } from '../../../emulator/chat/translation';
import { digestHeadlines } from '../../../emulator/utilities/data/digestHeadlines';
import { Dice } from '../../../emulator/utilities/random';
import { fillNumbers } from '../../../emulator/utilities/wording';

describe('Headlines of the daily digest', () => {
	it.each(digestHeadlines.map(({ chinese }) => [chinese]))(
		'are translated with their numbers: %s',
		(headline) => {
			for (const day of ['one', 'two', 'three']) {
				const chinese = fillNumbers(headline, new Dice(day));
				const english = inEnglish(chinese);
				expect(english).toMatch(/^[A-Z][\x20-\x7e]+$/);
				expect(english).not.toMatch(/NaN|undefined/);
			}
		},
	);

	it('have no translation that two of them share', () => {
		const translations = digestHeadlines.map(({ chinese }) =>
			inEnglish(fillNumbers(chinese, new Dice('one'))),
		);
		expect(new Set(translations).size).toBe(digestHeadlines.length);
	});
});
