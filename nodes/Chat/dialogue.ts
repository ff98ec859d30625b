import type { IDataObject } from 'n8n-workflow';
import { toFailure } from '../shared/errors/gatewayFailure';
import { asRecord } from '../shared/plain/values';
import type { AskedQuestion, Asker, UnavailableModel } from './asker';
import type { ChatAnswer, ToolCall } from './formats/answer';
import type { Fields } from './formats/assembler';
import type { Part, Turn } from './formats/conversation';
import { addedTokens, tokenCountsOf } from './formats/usage';
import { thoughtsIn } from './formats/thoughts';
import type { JsonOptions } from './json/fields';
import { parseJsonAnswer } from './json/parseJsonAnswer';
import type { PaidAnswer } from './paidAnswer';
import type { ToolBox, ToolRun } from './tools/toolBox';

/** What came out of a dialogue. */
export interface Outcome {
	/** The last answer, with the tokens of all. */
	answer: ChatAnswer;
	/** The answers as the gateway sent them, the last one first. */
	bodies: Fields[];
	/** The answer as JSON, if it was to be parsed. */
	parsed: { data?: unknown };
	toolRuns: ToolRun[];
	/** The models that were to be asked before. */
	unavailable: UnavailableModel[];
}

/** How the dialogue of one item goes. */
export interface DialogueSettings extends Pick<AskedQuestion, 'input' | 'models' | 'streamed'> {
	/** Undefined when the answer is not to be parsed. */
	json: JsonOptions | undefined;
	toolBox: ToolBox;
}

/**
 * Asks the question of one item, and runs tools until the model calls no more.
 *
 * @throws GatewayFailure; it keeps what had arrived, of all answers
 */
export async function outcomeOf(asker: Asker, settings: DialogueSettings): Promise<Outcome> {
	const { json, toolBox, input, streamed } = settings;
	let { models } = settings;
	let answer: ChatAnswer | undefined;
	const further: Turn[] = [];
	const bodies: Fields[] = [];
	const toolRuns: ToolRun[] = [];
	const unavailable: UnavailableModel[] = [];
	try {
		for (;;) {
			const asked = await asker.ask({
				input,
				streamed,
				models,
				further: [...further],
				tools: toolBox.definitions,
				schema: json?.schema?.source,
				inField: json?.inField ?? false,
				inPrompt: json?.inPrompt ?? false,
			});
			// The others were not available, and what a model thought helps itself most.
			models = models.slice(models.indexOf(asked.model));
			answer = answer ? { ...asked.answer, ...addedTokens(answer, asked.answer) } : asked.answer;
			bodies.unshift(asked.body);
			unavailable.push(...asked.unavailable);
			const calls = toolBox.callsOf(asked.answer);
			if (calls.length === 0) {
				return { answer, bodies, parsed: await parsedAnswer(answer, asked, json), toolRuns, unavailable };
			}
			const runs = await toolBox.run(calls);
			toolRuns.push(...runs);
			further.push(assistantTurn(asked, calls), resultsTurn(runs));
		}
	} catch (error) {
		const failure = toFailure(error);
		if (!answer || further.length === 0) throw failure;
		const earlier = { text: answer.text, ...tokenCountsOf(answer) };
		throw failure.with({ partial: { ...earlier, ...failure.facts.partial, toolRuns: shownRuns(toolRuns) } });
	}
}

async function parsedAnswer(
	answer: ChatAnswer,
	{ askAgain }: PaidAnswer,
	json: JsonOptions | undefined,
): Promise<Outcome['parsed']> {
	if (!json) return {};
	try {
		return { data: await parseJsonAnswer(answer, json) };
	} catch (error) {
		// Another answer may fit.
		askAgain();
		throw toFailure(error);
	}
}

/** What the model said, and the calls that are carried out. */
function assistantTurn({ answer, body, model }: PaidAnswer, calls: ToolCall[]): Turn {
	const text: Part[] = answer.text === '' ? [] : [{ type: 'text', text: answer.text }];
	const requested = calls.map(({ id, name, arguments: given }): Part => {
		return { type: 'toolCall', id, name, arguments: asRecord(given) ?? {} };
	});
	const ids = calls.map(({ id }) => id);
	return { role: 'assistant', parts: [...text, ...requested], thoughts: thoughtsIn(body, model, ids) };
}

function resultsTurn(runs: ToolRun[]): Turn {
	const parts = runs.map(({ id, name, result, files }): Part => {
		return { type: 'toolResult', id, name, text: result, ...(files ? { files } : {}) };
	});
	return { role: 'user', parts };
}

/** The results of the tools for the output. */
export function shownRuns(runs: ToolRun[]): IDataObject[] {
	return runs.map(
		({ name, arguments: given, result }) => ({ name, arguments: given, result }) as IDataObject,
	);
}
