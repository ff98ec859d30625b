import { type Fields, asRecord, textOr, withoutFields } from '../../shared/plain/values';
import { isFields, listOf, objectsIn } from './lists';
import type { Assembler, StreamFormat } from './chatFormat';
import { partsOf } from './contentParts';

/** Fields of the three formats. Every answer or event in one of them has at least one of these. */
const KNOWN = [
	...['choices', 'candidates', 'promptFeedback', 'usageMetadata'],
	...['content', 'delta', 'content_block', 'type'],
];
/** The fields in which Gemini Code Assist, Cloudflare Workers AI, and DashScope wrap an answer. */
const WRAPPERS = ['response', 'result', 'output'];

/** Removes the object that some gateways put around an answer or an event. */
export function unwrapped(body: Fields): Fields {
	if (KNOWN.some((name) => name in body)) return body;
	for (const name of WRAPPERS) {
		const inner = asRecord(body[name]);
		if (!inner || !KNOWN.some((field) => field in inner)) continue;
		return { ...withoutFields(body, [name]), ...inner };
	}
	return body;
}

/** Turns an answer in the shape of another service into a chat completion (interface, 2.3). Others stay unchanged. */
export function inKnownFormat(body: Fields): Fields {
	const fields = unwrapped(body);
	const isKnown = 'choices' in fields || 'candidates' in fields || Array.isArray(fields.content);
	if (isKnown) return fields;
	if (isFields(fields.message) && 'content' in fields.message) return fromSingleMessage(fields);
	// Anthropic's first API, which Bedrock still offers for Claude 2.
	if (typeof fields.completion === 'string')
		return { ...fields, content: [{ type: 'text', text: fields.completion }] };
	const output = listOf(fields.output).filter((entry) => isFields(entry) || typeof entry === 'string');
	const isList = Array.isArray(fields.output) && output.length >= Math.min(1, fields.output.length);
	return isList ? fromOutputList(fields, output) : fields;
}

/** Reads a single message, as Ollama and Cohere send it. */
function fromSingleMessage({ message, done, ...others }: Fields): Fields {
	const {
		prompt_eval_count: input,
		eval_count: output,
		done_reason: ofOllama,
		finish_reason: ofCohere,
	} = others;
	const reason = ofOllama ?? ofCohere;
	return {
		usage: { prompt_tokens: input, completion_tokens: output },
		...others,
		choices: [{ message, finish_reason: reason ?? (done === true ? 'stop' : undefined) }],
	};
}

/** Reads a list of messages, reasoning, function calls, and actions of the gateway's tools, or of texts (Replicate). */
function fromOutputList(
	{ status, incomplete_details: details, ...others }: Fields,
	output: unknown[],
): Fields {
	const ofType = (type: string) => objectsIn(output).filter((entry) => entry.type === type);
	const parts = output.flatMap((entry) => {
		const { type, content } = asRecord(entry) ?? {};
		if (type === 'function_call') return [];
		return type === 'message' ? partsOf(content) : [entry];
	});
	const content = parts.filter((part) => asRecord(part)?.type !== 'refusal');
	const inParts = (name: string) => parts.flatMap((part) => asRecord(part)?.[name] ?? []);
	const calls = ofType('function_call').map(({ call_id: callId, id, name, arguments: args }) => ({
		id: callId ?? id,
		function: { name, arguments: args },
	}));
	const [refusal] = inParts('refusal');
	const message = { content, tool_calls: calls, refusal, annotations: inParts('annotations') };
	const reason =
		status === 'completed' || status === 'succeeded' ? 'stop' : (asRecord(details)?.reason ?? status);
	return { ...others, choices: [{ message, finish_reason: reason }] };
}

/** The streams of the Responses API. */
export const responses: StreamFormat = {
	begins: ({ type }) => /^response\./.test(textOr(type)),
	assembler: () => new ResponseAssembler(),
};

/**
 * Assembles a stream of the Responses API. Its last event has the whole answer, but not if the answer comes from ChatGPT's
 * own service: its `output` is empty then, and only the events before it have the parts (QuantumNous/new-api#4362).
 */
class ResponseAssembler implements Assembler {
	private text = '';
	private id: unknown;
	private response: Fields | undefined;
	private readonly items: unknown[] = [];

	add({ type, delta, response, item }: Fields): string {
		this.id ??= asRecord(response)?.id;
		if (type === 'response.output_item.done') this.items.push(item);
		if (type === 'response.completed' || type === 'response.incomplete') this.response = asRecord(response);
		const text = type === 'response.output_text.delta' ? textOr(delta) : '';
		this.text += text;
		return text;
	}

	get isComplete(): boolean {
		return this.response !== undefined;
	}

	body(): Fields {
		const { response = inKnownFormat({ id: this.id, output: [this.text] }), items } = this;
		const isEmpty = Array.isArray(response.output) && response.output.length === 0;
		return isEmpty ? { ...response, output: items.length > 0 ? items : [this.text] } : response;
	}
}
