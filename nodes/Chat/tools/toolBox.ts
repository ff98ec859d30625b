import { GatewayFailure, hostFailure, toFailure } from '../../shared/failure/failure';
import { times } from '../../shared/failure/statusWords';
import type { Call } from '../../shared/run/call';
import { asSentence } from '../../shared/plain/inWords';
import { asRecord, textOr } from '../../shared/plain/values';
import { type ChatAnswer, checkCalls, type ToolCall, withUniqueIds } from '../formats/answer';
import type { FilePart, Part, Turn } from '../formats/conversation';
import type { Tool } from '../formats/functions';
import type { ChatFormat, InputSettings } from '../formats/chatFormat';
import { turnOf } from '../formats/readAnswer';
import type { PaidAnswer } from '../paidAnswer';
import type { SdkContent } from '../sdk';
import { contentOfResult } from '../sdkBlocks';
import type { ConnectedTool } from './connectedTools';
import { numberField } from '../../shared/fields/field';
import { EXTRA_BODY_FIELDS } from '../../shared/fields/options';
import { inputFailure } from '../../shared/failure/words';

export const MAX_ITERATIONS = numberField(
	'Max Iterations',
	'maxIterations',
	10,
	'How often the model may use tools before it answers',
	{ typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 } },
);

export interface ToolRun {
	id: string;
	name: string;
	arguments: unknown;
	result: string;
	files?: FilePart[];
}

type Result = Pick<ToolRun, 'result' | 'files'>;

/** The tools that the model of one item may use, and how often. */
export class ToolBox {
	readonly definitions: Tool[];
	private readonly maxIterations: number;
	private readonly ownFunctions: string[];
	private iterations = 0;
	private readonly callIds = new Set<string>();
	/** True if no call of the last answer had arguments that can be read. */
	private wasUnreadable = false;

	constructor(
		private readonly call: Call,
		private readonly tools: ConnectedTool[],
		private readonly format: ChatFormat,
	) {
		this.maxIterations = call.options.number(MAX_ITERATIONS) ?? MAX_ITERATIONS.default;
		this.ownFunctions = format.request.ownFunctions?.(call.options) ?? [];
		this.definitions = tools.map(({ definition }) => definition);
		const fixed = ['messages', 'contents'].find((name) => name in call.extraBodyFields);
		if (tools.length === 0 || fixed === undefined) return;
		const what = `contains "${fixed}", so the model would not get the results of its tools`;
		throw inputFailure(EXTRA_BODY_FIELDS, what, `Set Input to JSON, and enter "${fixed}" there.`);
	}

	/** Returns the calls of an answer to carry out, with IDs that no earlier call has; none without connected tools. */
	callsOf(answer: ChatAnswer): ToolCall[] {
		const { toolCalls = [] } = answer;
		const isForUser = toolCalls.some(({ name }) => this.isForUser(name));
		if (this.tools.length === 0 || isForUser) return [];
		checkCalls(answer);
		this.checkArguments(toolCalls);
		// Some gateways send no IDs, or the same ones in every answer. A retry has to send the same IDs.
		const { callIds } = this;
		const known = callIds.size;
		const newId = (index: number) => `call_${known + index}`;
		const calls = withUniqueIds(toolCalls, newId, (id) => callIds.has(id));
		for (const { id } of calls) callIds.add(id);
		return calls;
	}

	/** Tells whether the user has declared a function without a tool. Nobody knows how Extra Body Fields declare one. */
	private isForUser(name: string): boolean {
		const isConnected = this.definitions.some((definition) => definition.name === name);
		return this.ownFunctions.includes(name) || ('tools' in this.call.extraBodyFields && !isConnected);
	}

	/** Carries out the calls that no earlier try has carried out. The error of a tool that fails is its result. */
	async run(calls: ToolCall[]): Promise<ToolRun[]> {
		this.iterations += 1;
		if (this.iterations > this.maxIterations) throw this.tooOften();
		return await Promise.all(calls.map(async (call) => ({ ...call, ...(await this.resultOf(call)) })));
	}

	private async resultOf(call: ToolCall): Promise<Result> {
		const { payments, itemIndex } = this.call;
		const slot = payments.nextSlot([itemIndex], JSON.stringify(['tool', call]));
		const known = await payments.recall<Result>(slot);
		if (known) return known;
		const result = await this.newResultOf(call);
		await payments.keep(slot, result);
		return result;
	}

	/** Runs a tool. Its arguments may leave n8n, so they are passed without the key, which a gateway could repeat. */
	private async newResultOf(call: ToolCall): Promise<Result> {
		const { name, arguments: given } = await this.call.redactor.value(call);
		const tool = this.tools.find(({ definition }) => definition.name === name);
		if (!tool) return failed(`There is no tool "${name}".`);
		const input = asRecord(given);
		if (!input) return failed('The arguments are not a JSON object.');
		let json: string | undefined;
		try {
			const output = await tool.invoke(input);
			json = JSON.stringify(output ?? null);
			const { text, files } = toolResult(output, json, this.format.input);
			return { result: text, ...(files ? { files } : {}) };
		} catch (error) {
			const failure =
				json === undefined && !(error instanceof GatewayFailure) ? hostFailure(error) : toFailure(error);
			const { kind, message, description } = failure;
			if (kind === 'bug') throw failure;
			// If the tool is a node, n8n has already added the description to the message.
			return failed(message.includes(description) ? message : `${asSentence(message)} ${description}`);
		}
	}

	/**
	 * Stops at arguments that are not JSON for the second time. If the model does not correct them when told, each further
	 * answer would be paid for too: some gateways report `tool_calls` when Max Tokens is reached (hermes-agent#7680).
	 */
	private checkArguments(calls: ToolCall[]): void {
		const isUnreadable = calls.length > 0 && calls.every(({ arguments: given }) => !asRecord(given));
		const isAgain = isUnreadable && this.wasUnreadable;
		this.wasUnreadable = isUnreadable;
		if (!isAgain) return;
		throw new GatewayFailure(
			'answer',
			`The model has called the tool "${calls[0].name}" twice with arguments that are not a JSON object`,
			'They were probably cut off: increase Max Tokens in the options, or let the prompt ask for less at once. The tool was not run.',
		);
	}

	private tooOften(): GatewayFailure {
		return new GatewayFailure(
			'answer',
			`The model has used the tools ${times(this.maxIterations)} without an answer`,
			`Increase ${MAX_ITERATIONS.displayName} in Limits and Retries, or say in the prompt when to stop. The error details contain the results of the tools. A retry goes on from here, and does not use them again.`,
		);
	}
}

function failed(words: string): Result {
	return { result: JSON.stringify({ error: words }) };
}

/** Returns the next turns of a conversation: the model's answer with the calls carried out, and their results. */
export function turnsOf({ answer, body, model }: PaidAnswer, calls: ToolCall[], runs: ToolRun[]): Turn[] {
	const results = runs.map(({ id, name, result, files }): Part => {
		return { type: 'toolResult', id, name, text: result, ...(files ? { files } : {}) };
	});
	return [turnOf(answer, body, model, calls), { role: 'user', parts: results }];
}

/** Reads the result of a tool: a text, content blocks of LangChain or MCP, or anything else, which becomes JSON. */
function toolResult(
	output: unknown,
	json: string,
	input: InputSettings,
): { text: string; files?: FilePart[] } {
	const content = asRecord(output)?.content ?? output;
	const isBlocks = Array.isArray(content) && content.length > 0 && content.every(isBlock);
	if (isBlocks) return contentOfResult(content.map(blockOf), input);
	return contentOfResult(typeof output === 'string' ? output : json, input);
}

const BLOCKS = ['text', 'image', 'audio', 'file', 'image_url'];

function isBlock(value: unknown): boolean {
	const { type, text } = asRecord(value) ?? {};
	return BLOCKS.includes(textOr(type)) && (type !== 'text' || typeof text === 'string');
}

function blockOf(value: unknown): SdkContent {
	const block = asRecord(value)!;
	const { type, text, data, mimeType, mime_type: otherName, url, image_url: image } = block;
	if (type === 'text') return { type, text };
	const address = url ?? (typeof image === 'string' ? image : asRecord(image)?.url);
	return {
		type: 'file',
		data,
		mediaType: mimeType ?? otherName,
		...(typeof address === 'string' ? { providerMetadata: { url: address } } : {}),
	};
}
