import fc from 'fast-check';
import { Redactor } from '../../nodes/shared/answer/redactor';
import { leaksIn, SPELLINGS, split } from '../unit/shared/secrets/spellings';
import { hostileText } from './hostileValues';
import { property, type Property } from './property';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
/** Keys of 16 to 60 characters; repetitions such as "aaaa" are in no real key. */
const key = fc
	.uniqueArray(fc.constantFrom(...LETTERS), { minLength: 16, maxLength: 40 })
	.chain((letters) =>
		fc.tuple(
			fc.constant(letters.join('')),
			fc.constantFrom('', 'sk-', 'key_', 'Bearer-', 'a/b+'),
			fc.constantFrom('', '==', '-_', '~.'),
		),
	)
	.map(([letters, start, end]) => start + letters + end);
const spelling = fc.constantFrom(...Object.values(SPELLINGS));
const AROUND = ['%', '\\', '\\u00', '%4', ' ', '"', 'sk-', 'u0041', '%25'];
const around = fc
	.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...AROUND) }, hostileText), { maxLength: 3 })
	.map((parts) => parts.join(''));
const positions = fc.array(fc.nat(), { maxLength: 10 });

function expectNoLeak(text: string, secret: string): void {
	const leaks = leaksIn(text, secret);
	if (leaks.length > 0) throw new Error(`The key is there ${leaks.join()}: ${JSON.stringify(text)}`);
}

export const secretProperties: Property[] = [
	property(
		'is removed from any text, whole or in chunks',
		[key, spelling, spelling, around, around, positions],
		async (secret, spell, other, before, after, ends) => {
			const redactor = new Redactor([secret]);
			const text = `${before} ${spell(secret)} ${after} ${other(secret)}`;
			expectNoLeak(redactor.text(text), secret);
			expectNoLeak(await redactor.value(text), secret);
			const live = redactor.live();
			let passed = '';
			for (const chunk of split(text, ends)) passed += live.push(chunk);
			expectNoLeak(passed + live.end(), secret);
		},
		2,
	),
	property('is removed where it touches other characters', [key, around, around], (secret, before, after) => {
		const text = new Redactor([secret]).text(before + secret + after);
		if (text.includes(secret)) throw new Error(text);
	}),
];
