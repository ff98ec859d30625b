import { isDeepStrictEqual } from 'node:util';
import { type ChatAnswer } from '../../../nodes/Chat/formats/answer';
import { withoutFiles } from '../../../nodes/Chat/formats/answerFiles';
import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { resultOf } from '../../../nodes/Chat/model/result';
import { OptionalFields } from '../../../nodes/shared/answer/optionalFields';
import shapes from '../../fixtures/answerShapes.json';
import { answerOf } from '../answerOf';
import { seededRandom } from '../seededRandom';
import { eventsOf, readStream } from './readStream';

/**
 * An ordinary answer is read as ordinary, whatever optional fields stand beside it: each of those that recorded answers
 * have, alone and in many combinations. What the answer itself consists of is in ORDINARY, in our own words. Its stream,
 * and those of MIXED, are the same answer wherever they are cut.
 */

type Json = Record<string, unknown>;
type Form = 'whole' | 'in events';

interface Ordinary {
	name: string;
	whole: Json;
	events: Json[];
	expected: Partial<ChatAnswer>;
}

const [BEGINNING, END] = ['The 天空 ', 'is “blue” 🎵.'];
const TEXT = BEGINNING + END;
const CALL = { id: 'c1', name: 'look', arguments: { at: 'sky' } };
const ARGUMENTS = JSON.stringify(CALL.arguments);
const TOKENS = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };
const says = (finishReason: string) => ({ text: TEXT, finishReason, ...TOKENS });
const asks = { text: '', finishReason: 'tool_calls', toolCalls: [CALL], ...TOKENS };
const asksBare = { ...asks, toolCalls: [{ ...CALL, arguments: {} }] };

const chatUsage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const chatWhole = (message: Json, reason: string): Json => ({
	choices: [{ message: { role: 'assistant', ...message }, finish_reason: reason }],
	usage: chatUsage,
});
const chatEvents = (deltas: Json[], reason: string): Json[] => [
	...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }], usage: null })),
	{ choices: [{ index: 0, delta: {}, finish_reason: reason }] },
	{ choices: [], usage: chatUsage },
];
const chatText = (reason: string, finishReason: string, more: Json = {}): Ordinary => ({
	name: `${reason} ${Object.keys(more).join()}`,
	whole: chatWhole({ ...more, content: TEXT }, reason),
	events: chatEvents([more, { content: BEGINNING }, { content: END }], reason),
	expected: says(finishReason),
});
const chatCall = (
	content: string | null,
	given = ARGUMENTS,
	expected: Ordinary['expected'] = asks,
): Ordinary => {
	const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: given } };
	const begin = { index: 0, ...call, function: { name: 'look', arguments: '' } };
	const rest = { index: 0, function: { arguments: given } };
	return {
		name: `call beside ${content}`,
		whole: chatWhole({ content, tool_calls: [call] }, 'tool_calls'),
		events: chatEvents([{ content, tool_calls: [begin] }, { tool_calls: [rest] }], 'tool_calls'),
		expected,
	};
};

const geminiUsage = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };
const gemini = (parts: Json[], finishReason: unknown, expected: Ordinary['expected']): Ordinary => {
	const event = (own: Json[], more: Json = {}) => ({
		candidates: [{ content: { role: 'model', parts: own }, ...more }],
		usageMetadata: geminiUsage,
	});
	const last = parts.at(-1)!;
	return {
		name: `${JSON.stringify(finishReason)} ${parts.flatMap((part) => Object.keys(part)).join()}`,
		whole: event(parts, { finishReason }),
		events: [...parts.slice(0, -1).map((part) => event([part])), event([last], { finishReason })],
		expected,
	};
};
const functionCall = { id: 'c1', name: 'look', args: CALL.arguments };

const messagesUsage = { input_tokens: 11, output_tokens: 7 };
/** A block as it begins, and the deltas that complete it. */
function partsOf(block: Json): [begin: Json, ...deltas: Json[]] {
	const { type, thinking, signature, input } = block;
	if (type === 'text') {
		return [{ type, text: '' }, ...[BEGINNING, END].map((text) => ({ type: 'text_delta', text }))];
	}
	if (type === 'thinking') {
		const begin = { type, thinking: '', signature: '' };
		return [begin, { type: 'thinking_delta', thinking }, { type: 'signature_delta', signature }];
	}
	if (input === undefined) return [block];
	const pieces = ['', JSON.stringify(input)];
	return [
		{ ...block, input: {} },
		...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
	];
}
const blockEvents = (block: Json, index: number): Json[] => {
	const [content_block, ...deltas] = partsOf(block);
	return [
		{ type: 'content_block_start', index, content_block },
		...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
};
const message = (content: Json[], reason: string, expected: Ordinary['expected']): Ordinary => {
	const whole = { type: 'message', role: 'assistant', content, stop_reason: reason, usage: messagesUsage };
	const begun = { type: 'message', content: [], usage: { ...messagesUsage, output_tokens: 1 } };
	return {
		name: `${reason} ${content.map(({ type }) => type as string).join()}`,
		whole,
		events: [
			{ type: 'message_start', message: begun },
			...content.flatMap(blockEvents),
			{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 7 } },
			{ type: 'message_stop' },
		],
		expected,
	};
};
const text = { type: 'text', text: TEXT };
const toolUse = { type: 'tool_use', id: 'c1', name: 'look', input: CALL.arguments };
const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
const found = {
	type: 'web_search_tool_result',
	tool_use_id: 's1',
	content: [{ type: 'web_search_result', url: 'https://example.com/a', encrypted_content: 'x' }],
};
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'sig' };

const ORDINARY: Record<'chatCompletions' | 'generateContent' | 'messages', Ordinary[]> = {
	chatCompletions: [
		chatText('stop', 'stop'),
		chatText('stop', 'stop', { reasoning_content: 'Hm.' }),
		chatText('stop', 'stop', { reasoning: 'Hm.' }),
		chatCall(null),
		chatCall(''),
		chatCall(null, '{}', asksBare),
	],
	generateContent: [
		gemini([{ text: BEGINNING }, { text: END }], 1, says('stop')),
		gemini([{ text: BEGINNING }, { text: END }], 2, says('length')),
		gemini([{ text: 'Hm.', thought: true }, { text: TEXT }], 'STOP', says('stop')),
		gemini(
			[
				{ executableCode: { language: 'PYTHON', code: '1' } },
				{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
				{ text: TEXT },
			],
			'STOP',
			says('stop'),
		),
		gemini([{ functionCall }], 'STOP', asks),
		gemini([{ functionCall: { ...functionCall, args: {} } }], 'STOP', asksBare),
	],
	messages: [
		message([text], 'end_turn', says('stop')),
		message([thinking, text], 'end_turn', says('stop')),
		message([search, found, text], 'end_turn', says('stop')),
		message([toolUse], 'tool_use', asks),
	],
};

/** Fields that the answer itself consists of. As "none", they may stand beside another one. */
const CONTENT =
	/^(choices|candidates|content|message\.content|content_block|type|completion|stop)\b(?!\[\]\.(index|logprobs|avgLogprobs|native|content_filter|\w*[mM]etadata|safety|score|finishMessage|seed|stop_reason|token_ids|trace|routed|logprobsResult|content\.parts\[\]\.thoughtSignature)|\[\]\.(message|delta)\.(?!content|tool_calls|function_call|audio|refusal))/;
const NONE =
	/\.(message|delta)\.(refusal|tool_calls|function_call(\.name|\.arguments)?|audio(\.\w+)?)$|\.delta\.content$/;
/** Fields that say how the answer ended, or what it took; and deltas of the messages format. */
const NEVER =
	/(?<!native_)finish_?reason$|^(delta\.|message\.)?stop_reason$|tokens?$|TokenCount$|^usage(Metadata)?$|^delta\.(type|text|thinking|signature|partial_json|citation)|^choices\[\]\.(text|message$|delta$)|(message|delta)\.role$|^message(\.(type|role|usage))?$/i;
/** Details of the usage that are part of no sum. */
const DETAILS =
	/_details\.|cached_tokens|cache_(hit|miss)|reasoning_tokens|audio_prompt|draft|iterations|cache_creation\.|^usage\.(cost|timing|num_|draft|server_tool)/;

interface Optional {
	path: string;
	type: string;
}

function optionalFields(fields: Record<string, string>): Optional[] {
	return Object.entries(fields).flatMap(([path, types]) =>
		types
			.split(', ')
			.filter((type) => {
				const isNone = /^(null|empty)/.test(type);
				if (NEVER.test(path) && !DETAILS.test(path)) return false;
				// A refusal, which its words explain.
				if (/stop_details$/.test(path)) return type === 'null';
				return !CONTENT.test(path) || (isNone && NONE.test(path));
			})
			.map((type) => ({ path, type })),
	);
}

const SAMPLES: Record<string, () => unknown> = {
	text: () => 'sample',
	number: () => 3,
	boolean: () => true,
	null: () => null,
	list: () => ['sample'],
	object: () => ({ sample: 'x' }),
	'empty text': () => '',
	'empty list': () => [],
	'empty object': () => ({}),
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Sets a field, unless the answer has it itself. */
function set(target: Json, [step, ...others]: string[], value: unknown): void {
	const name = step.replace('[]', '');
	const isList = step.endsWith('[]');
	if (others.length === 0) {
		if (!(name in target)) target[name] = value;
		return;
	}
	if (!isObject(target[name])) target[name] = isList ? [{}] : {};
	const inner = target[name];
	const entries = (isList ? (inner as unknown[]) : [inner]).filter(isObject);
	if (isList && entries.length === 0 && !['choices', 'candidates'].includes(name))
		(inner as unknown[]).push({});
	for (const entry of (isList ? (inner as unknown[]) : [inner]).filter(isObject)) set(entry, others, value);
}

/** The events that a field stands in. */
function targetsOf(events: Json[], path: string): Json[] {
	const ofType = (type: string) => events.filter((event) => event.type === type);
	if (!events.some(({ type }) => type === 'message_start')) {
		return /^usage/.test(path)
			? events.filter((event) => isObject(event.usage ?? event.usageMetadata))
			: events;
	}
	if (path.startsWith('message.')) return ofType('message_start');
	if (path.startsWith('content_block.')) return [];
	return ofType('message_delta');
}

function withFields(ordinary: Ordinary, form: Form, fields: Optional[]): string {
	const whole = structuredClone(ordinary.whole);
	const events = structuredClone(ordinary.events);
	for (const { path, type } of fields) {
		const value = () => (type.startsWith('=') ? type.slice(1) : SAMPLES[type]());
		for (const target of form === 'whole' ? [whole] : targetsOf(events, path))
			set(target, path.split('.'), value());
	}
	return form === 'whole' ? JSON.stringify(whole) : eventsOf(events);
}

/** What is read, with everything that would make the answer look odd. */
async function readAs(form: Form, body: string) {
	const reader = new ChatReader(form === 'in events');
	const contentType = form === 'whole' ? 'application/json' : 'text/event-stream';
	const read = await reader.read(answerOf(body, { contentType }));
	const optional = new OptionalFields();
	const answer = readChatAnswer(read, 'm', optional);
	resultOf(answer);
	expect(withoutFiles(read, (index) => `file_${index}`).files).toEqual([]);
	return { answer, hint: optional.hint };
}

const FORMS: Form[] = ['whole', 'in events'];
const COMBINATIONS = 10;
/** Each field is tried alone beside one in so many answers. */
const ALONE = 3;
const cases = Object.entries(ORDINARY).flatMap(([format, all]) =>
	all.flatMap((ordinary, place) =>
		FORMS.map((form) => ({ format, ordinary, form, place, title: `${format} ${form}: ${ordinary.name}` })),
	),
);

describe('An ordinary answer is read as ordinary, with any optional fields', () => {
	it.each(cases)('$title', async ({ format, ordinary, form, place }) => {
		const fields = optionalFields(
			(shapes as never as Record<string, Record<Form, Record<string, string>>>)[format][form],
		);
		expect(fields.length).toBeGreaterThan(30);
		const random = seededRandom(7);
		const some = (share: number) => fields.filter(() => random() < share);
		const combinations = [
			[],
			...fields.filter((_, index) => (index + place) % ALONE === 0).map((field) => [field]),
			...Array.from({ length: COMBINATIONS }, (_, index) => some((index + 1) / COMBINATIONS)),
		];
		for (const combination of combinations) {
			const body = withFields(ordinary, form, combination);
			const names = combination.map(({ path, type }) => `${path}: ${type}`);
			const { answer, hint } = await readAs(form, body).catch((error: unknown) => {
				throw new Error(`${names.join(', ')}: ${String(error)}`);
			});
			const { text, finishReason, toolCalls = [], refusal, inputTokens, outputTokens, totalTokens } = answer;
			const read = { text, finishReason, toolCalls, refusal, inputTokens, outputTokens, totalTokens, hint };
			const expected = { toolCalls: [], refusal: undefined, hint: undefined, ...ordinary.expected };
			if (!isDeepStrictEqual(read, expected)) expect({ names, ...read }).toEqual({ names, ...expected });
		}
	});
});

const calls = ['c1', 'c2'].map((id, index) => ({
	...{ id, type: 'function', index },
	function: { name: `look${index}`, arguments: ARGUMENTS },
}));
const pieceOf = ({ index, function: { arguments: given } }: (typeof calls)[number]) => ({
	tool_calls: [{ index, function: { arguments: given } }],
});
const begun = calls.map((call) => ({
	tool_calls: [{ ...call, function: { ...call.function, arguments: '' } }],
}));
const detail = (words: string) => [{ type: 'reasoning.text', index: 0, format: 'v1', text: words }];
const uses = ['t1', 't2'].map((id) => ({ ...toolUse, id }));
const signedCall = { functionCall: { name: 'look', args: CALL.arguments }, thoughtSignature: 's' };

/** Answers with thoughts, texts, and calls in turns. */
const MIXED: Ordinary[] = [
	{
		...{ name: 'details of thoughts, and two calls in turns', expected: {} },
		whole: chatWhole({ content: TEXT, reasoning_details: detail('Hm, well.'), tool_calls: calls }, 'stop'),
		events: chatEvents(
			[
				{ reasoning_details: detail('Hm, ') },
				{ content: BEGINNING },
				...begun,
				...[{ content: END }, ...calls.map(pieceOf)],
				{ reasoning_details: detail('well.') },
			],
			'stop',
		),
	},
	message([thinking, uses[0], text, uses[1]], 'tool_use', {}),
	gemini(
		[{ text: 'Hm.', thought: true }, { text: BEGINNING }, signedCall, { text: END }, signedCall],
		'STOP',
		{},
	),
];

const GROWING = [
	...['content', 'text', 'thinking', 'partial_json', 'arguments'],
	...['reasoning_content', 'reasoning'],
];

/** An event whose text comes in pieces. */
function inPieces(event: Json, random: () => number): Json[] {
	const isText = (name: string, value: unknown): value is string =>
		GROWING.includes(name) && typeof value === 'string' && value !== '';
	const texts: string[] = [];
	const withText = (piece?: string) =>
		JSON.stringify(event, (name, value: unknown) => {
			if (!isText(name, value)) return value;
			texts.push(value);
			return piece ?? value;
		});
	withText();
	if (texts.length !== 1 || /_start$/.test(String(event.type))) return [event];
	const [rest] = texts;
	const pieces: Json[] = [];
	for (let from = 0; from < rest.length;) {
		const to = from + 1 + Math.floor(random() * 5);
		pieces.push(JSON.parse(withText(rest.slice(from, to))) as Json);
		from = to;
	}
	return pieces;
}

const JUNK = [
	...['', ': PING\n', '\n', 'data: keep-alive\n\n', 'retry: 100\n\n', 'data:\n\n', 'id: 3\n\n'],
	'data: 7\n\ndata: null\n\ndata: ["x"]\n\n',
	...['event: ping\ndata: {"type":"ping"}\n\n', 'no colon at all\n\n', 'data: busy {1}\n\n'],
];

describe('A stream is the answer as a whole, wherever it is cut', () => {
	const all = [...Object.values(ORDINARY).flat(), ...MIXED];

	it.each(all.map((one) => [one.name, one] as const))('%s', async (_name, { whole, events }) => {
		const expected = readChatAnswer(whole, 'm');
		const uncut = await readStream(events);
		const random = seededRandom(7);
		const anyOf = <T>(list: T[]) => list[Math.floor(random() * list.length)];
		for (let run = 0; run < 10; run++) {
			const lines = events
				.flatMap((event) => inPieces(event, random))
				.map((event) => anyOf(JUNK) + eventsOf([event]));
			const sizes = Array.from({ length: 60 }, () => 1 + Math.floor(random() * 40));
			const sent = lines.join('').replaceAll('\n', anyOf(['\n', '\r\n', '\r']));
			const { body, answer, live } = await readStream(sent, { sizes });
			expect(answer).toEqual(expected);
			expect(live).toBe(expected.text);
			// What is handed back is as it was sent.
			if (whole.type === 'message') expect(body.content).toEqual(whole.content);
			for (const name of ['choices', 'candidates']) expect(body[name]).toEqual(uncut.body[name]);
		}
	});
});
