import { fault, isStreamed, type FaultCase, type RuleFault, type Surroundings } from './faultCase';
import type { OperationCase, Reader } from './operationCase';

const alone = { perReader: true, isAlone: true, altersAnswers: () => true };
const reads =
	(...readers: Reader[]) =>
	({ reader }: OperationCase) =>
		reader !== undefined && readers.includes(reader);
const readsJson = reads('JSON', 'image in JSON', 'task', 'voice list', 'embeddings', 'utility');
const readsFile = reads('audio', 'audio to join', 'image file', 'track');

/** More than any answer may unpack to. */
const BOMB_BYTES = 80_000_000;
const bomb = (
	name: string,
	rule: Omit<Extract<RuleFault, { kind: 'bomb' }>, 'kind'>,
	more: Partial<FaultCase> = {},
): FaultCase =>
	fault(
		`bomb: ${name}`,
		{ kind: 'bomb', bytes: BOMB_BYTES, ...rule },
		{ ...alone, suits: hasReader, ...more },
	);

function hasReader({ reader }: OperationCase): boolean {
	return reader !== undefined;
}

/** A message that is expensive to search for tags. */
const TAGS = '<'.repeat(400_000);
const TOOL_CALLS = 30_000;

/** An event stream with very many tool calls, each of which begins but never ends. */
function toolCalls({ operation: { operation } }: Surroundings): RuleFault {
	const event: Record<string, (index: number) => object> = {
		chatCompletion: (index) => ({
			choices: [{ index: 0, delta: { tool_calls: [{ index, function: { name: 'a', arguments: '' } }] } }],
		}),
		message: (index) => ({
			type: 'content_block_start',
			index,
			content_block: { type: 'tool_use', id: `${index}`, name: 'a', input: {} },
		}),
		generateContent: (index) => ({
			candidates: [{ index, content: { parts: [{ functionCall: { name: 'a', args: {} } }] } }],
		}),
	};
	const lines = Array.from(
		{ length: TOOL_CALLS },
		(_, index) => `data: ${JSON.stringify(event[operation](index))}\n\n`,
	);
	return { kind: 'status', status: 200, contentType: 'text/event-stream', body: lines.join('') };
}

/** Answers that are made to cost time, memory, or disk. */
export const hostileFaults: FaultCase[] = [
	fault(
		'endless file',
		{ kind: 'endless', of: 'content', delayMs: 20 },
		{ perReader: true, suits: readsFile, neverEnds: true, totalMinutes: 0.5, timeoutSeconds: 10 },
	),
	fault(
		'endless white space',
		{ kind: 'endless', of: 'whiteSpace', delayMs: 20 },
		{ perReader: true, suits: readsJson, neverEnds: true, totalMinutes: 0.5, timeoutSeconds: 10 },
	),
	bomb('gzip', { encodings: ['gzip'] }),
	bomb('deflate', { encodings: ['deflate'] }),
	bomb('Brotli', { encodings: ['br'] }),
	// n8n's request helper unpacks a single encoding, and leaves a list of them as it is.
	bomb('gzip twice', { encodings: ['gzip', 'gzip'] }, { hidesAnswer: true }),
	bomb('gzip twice, announced once', { encodings: ['gzip', 'gzip'], announced: 'gzip' }),
	bomb('error, gzip', { encodings: ['gzip'], status: 400 }),
	bomb('error, Brotli', { encodings: ['br'], status: 502 }),
	fault(
		'400 kB of "<" as a message',
		{
			kind: 'status',
			status: 200,
			body: { error: { message: TAGS, type: 'server_error', code: 'server_error' } },
		},
		{ ...alone, suits: reads('JSON', 'audio') },
	),
	fault(
		'400 kB of "<" as an error in the stream',
		{ kind: 'errorInStream', error: { message: TAGS } },
		{ ...alone, suits: isStreamed },
	),
	fault('64 MB of {} in a list', { kind: 'flood', of: 'objects' }, { ...alone, suits: readsJson }),
	fault(
		'250 MB of short data lines',
		{ kind: 'flood', of: 'dataLines', bytes: 250_000_000 },
		{ ...alone, suits: isStreamed },
	),
	{
		name: `stream with ${TOOL_CALLS.toLocaleString('en')} tool calls`,
		fault: toolCalls,
		...alone,
		suits: isStreamed,
	},
];
