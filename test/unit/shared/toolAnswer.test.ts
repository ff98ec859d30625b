import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ParameterReader } from '../../../nodes/shared/run/parameterReader';
import { answerOf } from '../../../nodes/shared/run/toolAnswer';
import { FakeContext } from './fakeContext';

/** What a model gets from a tool with these parameters. */
function answer(
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	runsInAgent: boolean | 'unknown' = false,
): IDataObject[] {
	const fake = new FakeContext({ parameters, node: { name: 'speaker', type: 'x.speechTool' } });
	const told = runsInAgent === 'unknown' ? undefined : () => runsInAgent;
	const context = Object.assign(fake.execute, { isToolExecution: told });
	return answerOf(items, context, new ParameterReader(context)).map(({ json }) => json);
}

const story = {
	json: {
		date: '2026-11-23',
		news: [
			{ title: 'One', link: 'https://a.example/1', by: { name: 'A', age: 3 } },
			{ title: 'Two', link: 'https://a.example/2', by: { name: 'B', age: 4 } },
		],
	},
};

describe('What a model gets from a tool', () => {
	it('is everything by default', () => {
		expect(answer([story])).toEqual([story.json]);
	});

	it('is only the chosen fields, also within lists', () => {
		expect(answer([story], { answerFields: ' date , missing' })).toEqual([{ date: '2026-11-23' }]);
		expect(answer([story], { answerFields: 'news.title, news.by.name' })).toEqual([
			{
				news: [
					{ title: 'One', by: { name: 'A' } },
					{ title: 'Two', by: { name: 'B' } },
				],
			},
		]);
		expect(answer([story], { answerFields: 'news.title,news' })[0].news).toEqual(story.json.news);
		expect(answer([story], { answerFields: 'date.year' })).toEqual([{ date: '2026-11-23' }]);
	});

	it('is a whole failure, whatever the fields', () => {
		const failed = { json: { error: 'No. Try again.', details: { taskId: 't1' } } };
		expect(answer([failed], { answerFields: 'title' })).toEqual([failed.json]);
	});

	it('says how many items are left out if they are too long together', () => {
		const items = Array.from({ length: 50 }, (_, index) => ({
			json: { title: `Story ${index}`, rank: index },
		}));
		const given = answer(items, { maxAnswerLength: 500 });
		expect(JSON.stringify(given).length).toBeLessThanOrEqual(500);
		expect(given[0]).toEqual(items[0].json);
		expect(given.at(-1)).toEqual({
			leftOut: `${50 - given.length + 1} of 50 items, because the answer would be too long`,
		});
		expect(answer(items, { maxAnswerLength: 0 })).toHaveLength(50);
	});

	it('names the files, which no model gets, and where they are', () => {
		const file = {
			data: 'aGVsbG8=',
			mimeType: 'audio/mpeg',
			fileName: 'a.mp3',
			fileSize: '5 B',
		} as IBinaryData;
		const items = [{ json: { characters: 5 }, binary: { data: file } }];
		const files = [{ field: 'data', fileName: 'a.mp3', mimeType: 'audio/mpeg', fileSize: '5 B' }];
		expect(answer(items)).toEqual([
			{
				characters: 5,
				files,
				aboutFiles: 'The files are in the output of "speaker" in this execution. You cannot open them.',
			},
		]);
		expect(answer(items, { answerFields: 'none' }, true)).toEqual([
			{
				files,
				aboutFiles:
					'This version of AI Agent drops the files of tools. Tell the user to use version 3 or later.',
			},
		]);
		expect(answer(items, {}, 'unknown')[0].aboutFiles).toMatch(/unless AI Agent is older than version 3/);
	});
});
