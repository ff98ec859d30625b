import type { IDataObject } from 'n8n-workflow';
import { type GatewayFailure, toFailure } from '../../shared/failure/failure';
import { SIMPLIFY } from '../../shared/fields/options';
import { asRecord } from '../../shared/plain/values';
import type { Call } from '../../shared/run/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/run/operation';
import { firstAnswer, type UnavailableModel } from '../fallback/firstAnswer';
import { chatFields, MODEL, readFallbackModels, STREAM } from '../fields';
import { ANSWER_FIELDS, type ChatAnswer, simplifiedOutput } from '../formats/answer';
import type { ChatFormat } from '../formats/chatFormat';
import { readGeneration } from '../formats/generation';
import { tokensOf } from '../../shared/answer/usage';
import { readInput } from '../input.fields';
import { type JsonOptions, readJsonOptions } from '../json/fields';
import { parseJsonAnswer } from '../json/parseJsonAnswer';
import { LiveText } from '../liveText';
import type { ItemChat, PaidAnswer } from '../paidAnswer';
import { connectedTools } from '../tools/connectedTools';
import { ToolBox, type ToolRun, turnsOf } from '../tools/toolBox';

interface Dialogue {
	/** Oldest first. */
	answers: PaidAnswer[];
	toolRuns: ToolRun[];
	/** The models before the one that answered, which were skipped or could not answer. */
	unavailable: UnavailableModel[];
}

/** Returns the operation that asks a model in a format. */
export function messageIn(format: ChatFormat): ItemOperation {
	return {
		...format.operation,
		fields: chatFields(format),
		answerFields: ANSWER_FIELDS,
		run: (call) => ask(call, format),
	};
}

/**
 * Asks a chat model about one item: asks each model until one answers, and runs tools until it calls no more. Each
 * answer is paid for once. @throws GatewayFailure with what had arrived, of all answers
 */
async function ask(
	call: Call,
	format: ChatFormat,
): Promise<OperationResult | Array<OperationResult | OperationFailure>> {
	const { options } = call;
	const streamed = options.flag(STREAM);
	const settings = { options, generation: readGeneration(options, format.generation), streamed };
	const raw = format.raw?.read(call) ?? {};
	const json = await readJsonOptions(call);
	let input = await readInput(call, format);
	let models = [...new Set([call.picked(MODEL), ...readFallbackModels(call)])];
	const isSimple = call.flag(SIMPLIFY);
	const toolBox = new ToolBox(call, await connectedTools(call), format);
	const live = new LiveText(call, streamed);
	const files: ItemChat['files'] = {};
	const chat = { call, format, settings, tools: toolBox.definitions, json, raw, live, files };
	const dialogue: Dialogue = { answers: [], toolRuns: [], unavailable: [] };
	live.begin();
	try {
		for (;;) {
			const asked = await firstAnswer(chat, input, models);
			dialogue.answers.push(asked);
			dialogue.unavailable.push(...asked.unavailable);
			const calls = toolBox.callsOf(asked.answer);
			if (calls.length === 0) break;
			const runs = await toolBox.run(calls);
			dialogue.toolRuns.push(...runs);
			input = { ...input, turns: [...input.turns, ...turnsOf(asked, calls, runs)] };
			// The models before this one were not available, and a model profits most from its own thoughts.
			models = models.slice(models.indexOf(asked.model));
		}
		const parsed: { data?: unknown } = json ? await parsedAnswer(dialogue, json, live) : {};
		live.end();
		const output = json?.asColumns
			? { ...call.inputFields(), ...(asRecord(parsed.data) ?? parsed) }
			: { ...outputOf(dialogue, parsed, isSimple), ...besides(dialogue) };
		return { json: output as IDataObject, files, isForeign: json?.asColumns };
	} catch (error) {
		const failure = withDialogue(toFailure(error), dialogue);
		live.failed(failure);
		if (Object.keys(files).length > 0) return [{ failure, files }];
		throw failure;
	}
}

/** Returns the last answer, with the tokens of all answers. */
function lastAnswer({ answers }: Dialogue): ChatAnswer {
	const all = answers.map(({ answer }) => answer);
	return all.reduce((sum, answer) => ({ ...answer, ...tokensOf(sum, answer) }));
}

async function parsedAnswer(
	dialogue: Dialogue,
	json: JsonOptions,
	{ hasShown }: LiveText,
): Promise<{ data: unknown }> {
	try {
		return { data: await parseJsonAnswer(lastAnswer(dialogue), json) };
	} catch (error) {
		const failure = toFailure(error);
		const { answer, paid } = dialogue.answers.at(-1)!;
		// Another answer may fit, unless it would be cut off as well, or somebody has seen this one.
		if (hasShown || answer.finishReason === 'length') await paid.noteUnusable(failure);
		else paid.forget();
		throw failure;
	}
}

function outputOf(dialogue: Dialogue, parsed: { data?: unknown }, isSimple: boolean): IDataObject {
	if (isSimple) return simplifiedOutput(lastAnswer(dialogue), parsed);
	const bodies = dialogue.answers.map(({ body }) => body);
	const earlier = bodies.length > 1 ? { earlierResponses: bodies.slice(0, -1) } : {};
	return { ...bodies.at(-1), ...parsed, ...earlier } as IDataObject;
}

function besides({ toolRuns, unavailable }: Dialogue): IDataObject {
	return {
		...(toolRuns.length > 0 ? { toolRuns: toolRuns.map(shownRun) } : {}),
		...(unavailable.length > 0 ? { unavailableModels: unavailable.map((one) => ({ ...one })) } : {}),
	};
}

/** Adds earlier answers and the results of tools to a failure after tools were used. */
function withDialogue(failure: GatewayFailure, dialogue: Dialogue): GatewayFailure {
	if (dialogue.toolRuns.length === 0) return failure;
	const answer = lastAnswer(dialogue);
	const toolRuns = dialogue.toolRuns.map(shownRun);
	// A failure may know the tokens of the last answer only.
	const partial = { text: answer.text, ...failure.facts.partial, ...tokensOf(answer), toolRuns };
	return failure.with({ partial });
}

function shownRun({ name, arguments: given, result }: ToolRun): IDataObject {
	return { name, arguments: given, result } as IDataObject;
}
