import { readFileSync } from 'node:fs';
import { ANSWER_FIELDS } from '../../../nodes/Chat/formats/answer';
import { generateImage } from '../../../nodes/Image/operations/generate.operation';
import { SONG_FIELDS } from '../../../nodes/Music/fields';
import { create } from '../../../nodes/Speech/operations/create.operation';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { cataloguedOperations } from '../../../nodes/Utilities/operations/catalogued.operation';

/** What is often a column of a table. */
const COLUMNS = ['id', 'name', 'title', 'text', 'prompt', 'status', 'model', 'format', 'image', 'date'];

describe('Include Input Fields', () => {
	it.each([
		// All answers have the last ones.
		['Image/__schema__/v1.0.0/image/generate', generateImage.answerFields!, 'prompt model image images'],
		[
			'Speech/__schema__/v1.0.0/speech/create',
			create.answerFields!,
			'voice characters format mimeType bytes parts model',
		],
		['Chat/__schema__/v1.0.0/chat/chatCompletion', ANSWER_FIELDS, 'text model'],
		// Tables of songs may have most of these.
		['Music/__schema__/v1.0.0/music/generate', SONG_FIELDS, 'title tags model taskId status createdAt'],
	])(
		'takes from the input none of the fields that only some answers have: %s',
		(file, answerFields, others) => {
			const { properties } = JSON.parse(readFileSync(`nodes/${file}.json`, 'utf8')) as { properties: object };
			const mayBeOld = Object.keys(properties).filter((name) => !answerFields.includes(name));
			expect(mayBeOld.join(' ')).toBe(others);
			expect(answerFields.filter((name) => COLUMNS.includes(name))).toEqual([]);
			expect(answerFields).toContain(answerFields === SONG_FIELDS ? 'timedOut' : 'cost');
		},
	);

	it('takes no warning about an earlier image from the input', () => {
		expect(generateImage.answerFields).toContain('problem');
	});

	it('takes no day from the input if the answer may tell one', () => {
		const dated = cataloguedOperations.filter(({ answerFields = [] }) => answerFields.includes('date'));
		const ofOneDay = catalogue.filter(({ day }) => day !== undefined);
		expect(dated.map(({ value }) => value)).toEqual(ofOneDay.map(({ value }) => value));
	});
});
