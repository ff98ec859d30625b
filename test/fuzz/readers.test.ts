import fc from 'fast-check';
import { ChatReader, readChatAnswer } from '../../nodes/Chat/formats/readAnswer';
import { simplifiedOutput } from '../../nodes/Chat/formats/answer';
import { checkContent, resultOf, usableCalls, usageOf } from '../../nodes/Chat/model/result';
import { readEmbeddings, readVector } from '../../nodes/Embed/vectors';
import { readImages } from '../../nodes/Image/readImages';
import { readMusicTask, readSubmittedTask } from '../../nodes/Music/tasks/musicTask';
import { readRerankAnswer } from '../../nodes/Rerank/scores';
import { toItems } from '../../nodes/Utilities/items';
import { readUtility } from '../../nodes/Utilities/readUtility';
import { readCreatedVoice } from '../../nodes/VoiceModel/operations/create.operation';
import { readModels, readVoices } from '../../nodes/shared/send/lists';
import { expectFailureOrValue, expectPlain } from './expectations';
import { answerOf } from '../unit/answerOf';
import { ANSWERS } from './chatAnswers';
import { changed, changes, hostileValue, toJson } from './hostileValues';

const valid = fc.constantFrom(...ANSWERS);
const RUNS = 150;
/** The last one repeats. */
const chunkSizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });

/** A test of what must hold for whatever arrives. @param check throws when it does not hold */
function holds<Values extends [unknown, ...unknown[]]>(
	name: string,
	values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
	check: (...values: Values) => Promise<void>,
): void {
	const tuple = fc.tuple(...values) as unknown as fc.Arbitrary<Values>;
	it(name, async () => {
		const property = fc.asyncProperty(tuple, async (all) => await check(...all));
		const held = fc.assert(property, { numRuns: RUNS, includeErrorInReport: true });
		await expect(held).resolves.toBeUndefined();
	});
}

/** An answer of a chat as the node and the sub-node pass it on. */
async function readAnswer(json: string, sizes: number[]): Promise<void> {
	await expectFailureOrValue(async () => {
		const body = await new ChatReader(false).read(answerOf(json, { sizes }));
		const answer = readChatAnswer(body, 'model');
		expectPlain([body, answer, simplifiedOutput(answer)]);
		const calls = usableCalls(answer);
		checkContent(answer);
		usageOf(answer);
		// Some fields of the SDK are undefined on purpose.
		return [calls, JSON.parse(JSON.stringify(resultOf(answer))) as unknown];
	});
}

const withChanges = changes.map((all) => (body: unknown) => changed(body, all));
const instead = hostileValue.map((value) => () => value);

type Read = (body: unknown, json: string, sizes: number[]) => unknown;
const asJson = (json: string, sizes: number[]) => answerOf(json, { sizes });
const track = { id: 'a', title: 'Rain', audioUrl: 'https://a.invalid/1.mp3', duration: 61.5, createTime: 7 };
const task = { task_id: 'a', status: 'SUCCESS', progress: '100%', submit_time: 7, data: [track] };
const models = [{ id: 'aurora-4', object: 'model', created: 7, owned_by: 'aurora' }];
const voices = [{ name: 'Vera', public: 'public', description: 'Calm' }];

/** Each other reader, with an answer that it can read. */
const READERS: Array<[valid: unknown, read: Read]> = [
	[{ object: 'list', data: models }, readModels],
	[{ success: true, voice_characters: voices, total: 1 }, readVoices],
	[
		{ created: 7, data: [{ url: 'https://a.invalid/1.png' }, { b64_json: 'AAAA' }] },
		(body) => readImages(body, () => false),
	],
	[{ code: 'success', data: task }, readMusicTask],
	[
		{ code: 'success', data: { task_id: 'a', status: 'PENDING' } },
		async (_body, ...sent) => await readSubmittedTask(asJson(...sent)),
	],
	[{ model_name: 'Vera', public: false }, async (_body, ...sent) => await readCreatedVoice(asJson(...sent))],
	[
		{ results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 3 } },
		(body) => readRerankAnswer(body, []),
	],
	[
		{ data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 3 } },
		(body) => readEmbeddings(body).entries.map(({ embedding }) => readVector(embedding)),
	],
	[
		{
			code: 200,
			message: 'ok',
			data: { date: '2026-01-01', news: ['A', 'B'], updated_at: 1_700_000_000_000 },
		},
		async (_body, ...sent) => {
			const content = await readUtility(asJson(...sent), { mayBeWebPage: false, hasList: true });
			if (content.kind !== 'json') return [];
			const simplified = { splitOutLists: false, wantedList: '' };
			return [true, false].map((simplify) => toItems(content, { ...simplified, simplify }));
		},
	],
];

describe('The readers of the nodes', () => {
	holds('make an answer or a failure of any JSON', [hostileValue, chunkSizes], async (value, sizes) => {
		await readAnswer(toJson(value), sizes);
	});

	holds(
		'make an answer or a failure of a chat answer with changes',
		[valid, changes, chunkSizes],
		async (body, all, sizes) => {
			await readAnswer(toJson(changed(body, all)), sizes);
		},
	);

	holds(
		'make values or a failure of any other answer with changes',
		[fc.constantFrom(...READERS), fc.oneof(withChanges, instead), chunkSizes],
		async ([body, read], change, sizes) => {
			const json = toJson(change(body));
			await expectFailureOrValue(async () => {
				const value = await read(JSON.parse(json), json, sizes);
				return JSON.parse(JSON.stringify(value ?? null)) as unknown;
			});
		},
	);
});
