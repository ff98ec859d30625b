import fc from 'fast-check';
import { Redactor } from '../../../../nodes/shared/answer/redactor';
import { KEY, leaksIn, SPELLINGS, split } from './spellings';

const redactor = new Redactor([KEY]);
const spellings = Object.entries(SPELLINGS);

/** What a live text passes on for each chunk, and at its end. */
function passedOn(chunks: string[]): string[] {
	const live = redactor.live();
	return [...chunks.map((chunk) => live.push(chunk)), live.end()];
}

describe('A live text', () => {
	it.each(spellings)('has no key wherever it is split: %s', async (_name, spell) => {
		const text = `The key is ${spell(KEY)}, it says.`;
		const expected = redactor.text(text);
		for (let position = 0; position <= text.length; position++) {
			const passed = passedOn([text.slice(0, position), text.slice(position)]);
			expect(passed.join('')).toBe(expected);
		}
		expect(passedOn([...text]).join('')).toBe(expected);
	});

	it('passes a chunk on at once unless its end may begin a key', async () => {
		expect(passedOn(['The sky is wide', ' and', ' blue.'])).toEqual([
			'The sky is wide',
			' and',
			' blue.',
			'',
		]);
		expect(passedOn(['What is sk-', 'Life?'])).toEqual(['What is ', 'sk-Life?', '']);
	});

	it('passes on at its end what only might have become a key', async () => {
		expect(passedOn(['What is sk-'])).toEqual(['What is ', 'sk-']);
	});

	it('holds back fewer characters than the longest spelling has', () => {
		const begun = Buffer.from(KEY).toString('hex').slice(0, -1);
		expect(passedOn([`${'6'.repeat(1000)} ${begun}`, '!'])).toEqual([
			`${'6'.repeat(1000)} `,
			'[API key]!',
			'',
		]);
	});
});

describe('The bytes of a file', () => {
	const maskedFile = async (chunks: Buffer[]) => {
		const parts: Buffer[] = [];
		for await (const part of redactor.bytes(chunks)) parts.push(part);
		return Buffer.concat(parts);
	};

	it.each(spellings)(
		'have an asterisk for each byte of the key wherever they are split: %s',
		async (_name, spell) => {
			const before = Buffer.from([0, 255, 1, 37, 92, 32]);
			const spelled = Buffer.from(spell(KEY));
			const file = Buffer.concat([before, spelled, before]);
			const expected = await maskedFile([file]);
			expect(expected).toHaveLength(file.length);
			expect(leaksIn(expected.toString('latin1'))).toEqual([]);
			expect(expected.subarray(0, before.length)).toEqual(before);
			expect(expected.subarray(-before.length)).toEqual(before);
			for (let position = 0; position <= file.length; position += 1) {
				const masked = await maskedFile([file.subarray(0, position), file.subarray(position)]);
				expect(masked.equals(expected)).toBe(true);
			}
		},
	);

	it('have no key between any other bytes, in chunks of any size', async () => {
		const spelling = fc.constantFrom(...Object.values(SPELLINGS));
		const around = fc.uint8Array({ maxLength: 100 });
		await fc.assert(
			fc.asyncProperty(around, spelling, around, fc.array(fc.nat(), { maxLength: 8 }), async (...given) => {
				const [before, spell, after, positions] = given;
				const file = Buffer.concat([before, Buffer.from(spell(KEY)), after]);
				const chunks = split(file.toString('latin1'), positions).map((text) => Buffer.from(text, 'latin1'));
				const masked = await maskedFile(chunks);
				expect(leaksIn(masked.toString('latin1'))).toEqual([]);
				expect(masked).toHaveLength(file.length);
				expect([...masked.subarray(0, before.length)]).toEqual([...before]);
				expect([...masked.subarray(file.length - after.length)]).toEqual([...after]);
			}),
			{ numRuns: 200 },
		);
	});

	it('are the same where there is no key, in chunks of any size', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 })), async (chunks) => {
				const buffers = chunks.map((chunk) => Buffer.from(chunk));
				expect((await maskedFile(buffers)).equals(Buffer.concat(buffers))).toBe(true);
			}),
		);
	});

	it('keep the beginning of a key, because files are not cut off', async () => {
		const file = Buffer.from(`Keys begin with ${KEY.slice(0, 20)}.`);
		expect((await maskedFile([file])).equals(file)).toBe(true);
	});

	it('break with the error of their source, which is closed then', async () => {
		let isClosed = false;
		async function* source() {
			try {
				yield Buffer.from('word');
				throw new Error('connection lost');
			} finally {
				isClosed = true;
			}
		}
		await expect(async () => {
			for await (const part of redactor.bytes(source())) expect(part).toEqual(Buffer.from('word'));
		}).rejects.toThrow('connection lost');
		expect(isClosed).toBe(true);
	});
});
