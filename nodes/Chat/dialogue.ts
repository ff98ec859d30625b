import type { IDataObject } from 'n8n-workflow';
import { type GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import { asRecord } from '../shared/values';
import type { AskedQuestion, Asker, UnavailableModel } from './asker';
import type { ChatAnswer, ToolCall } from './formats/answer';
import type { Fields } from './formats/assembler';
import type { Part, Turn } from './formats/conversation';
import { addedTokens, tokenCountsOf, type TokenCounts } from './formats/usage';
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

/** The question of one item, and the calls of tools that follow it. */
export class Dialogue {
	private readonly further: Turn[] = [];
	private readonly toolRuns: ToolRun[] = [];
	private models: string[];
	private readonly unavailable: UnavailableModel[] = [];
	private last: PaidAnswer | undefined;
	private readonly bodies: Fields[] = [];
	private tokens: TokenCounts | undefined;

	constructor(
		private readonly asker: Asker,
		private readonly settings: DialogueSettings,
	) {
		this.models = settings.models;
	}

	/** @throws GatewayFailure; it keeps what had arrived, of all answers */
	async outcome(): Promise<Outcome> {
		try {
			const parsed = await this.parsed(await this.finalAnswer());
			const { toolRuns, unavailable, bodies } = this;
			return { answer: this.whole, bodies, parsed, toolRuns, unavailable };
		} catch (error) {
			throw this.withEarlier(toFailure(error));
		}
	}

	private async parsed({ askAgain }: PaidAnswer): Promise<{ data?: unknown }> {
		const { json } = this.settings;
		if (!json) return {};
		try {
			return { data: await parseJsonAnswer(this.whole, json) };
		} catch (error) {
			// Another answer may fit.
			askAgain();
			throw toFailure(error);
		}
	}

	/** Runs tools until the model calls no more. */
	private async finalAnswer(): Promise<PaidAnswer> {
		const { toolBox } = this.settings;
		for (;;) {
			const asked = await this.next();
			const calls = toolBox.callsOf(asked.answer);
			if (calls.length === 0) return asked;
			const runs = await toolBox.run(calls);
			this.toolRuns.push(...runs);
			const results = runs.map(({ id, name, result, files }): Part => {
				return { type: 'toolResult', id, name, text: result, ...(files ? { files } : {}) };
			});
			this.further.push(assistantTurn(asked, calls), { role: 'user', parts: results });
		}
	}

	private async next(): Promise<PaidAnswer> {
		const { json, toolBox, input, streamed } = this.settings;
		const { models } = this;
		const asked = await this.asker.ask({
			input,
			streamed,
			models,
			further: [...this.further],
			tools: toolBox.definitions,
			schema: json?.schema?.source,
			inField: json?.inField ?? false,
			inPrompt: json?.inPrompt ?? false,
		});
		// The others were not available, and what a model thought helps itself most.
		this.models = models.slice(models.indexOf(asked.model));
		this.tokens = this.tokens ? addedTokens(this.tokens, asked.answer) : asked.answer;
		this.unavailable.push(...asked.unavailable);
		this.last = asked;
		this.bodies.unshift(asked.body);
		return asked;
	}

	/** The last answer with the tokens of all. */
	private get whole(): ChatAnswer {
		const { answer } = this.last!;
		return this.tokens === answer ? answer : { ...answer, ...this.tokens };
	}

	/** The failure of a later question, with what was paid for before it. */
	private withEarlier(failure: GatewayFailure): GatewayFailure {
		const { toolRuns, tokens } = this;
		if (!tokens || this.further.length === 0) return failure;
		const earlier = { text: this.whole.text, ...tokenCountsOf(tokens) };
		const runs = toolRuns.length > 0 ? { toolRuns: shownRuns(toolRuns) } : {};
		return failure.with({ partial: { ...earlier, ...failure.facts.partial, ...runs } });
	}
}

/** What the model said, and the calls that are carried out. */
function assistantTurn({ answer, body }: PaidAnswer, calls: ToolCall[]): Turn {
	const text: Part[] = answer.text === '' ? [] : [{ type: 'text', text: answer.text }];
	const requested = calls.map(({ id, name, arguments: given }): Part => {
		return { type: 'toolCall', id, name, arguments: asRecord(given) ?? {} };
	});
	const ids = calls.map(({ id }) => id);
	return { role: 'assistant', parts: [...text, ...requested], thoughts: thoughtsIn(body, ids) };
}

/** The results of the tools for the output. */
export function shownRuns(runs: ToolRun[]): IDataObject[] {
	return runs.map(
		({ name, arguments: given, result }) => ({ name, arguments: given, result }) as IDataObject,
	);
}
