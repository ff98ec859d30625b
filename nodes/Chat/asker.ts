import { GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import { jsonBody } from '../shared/send/requestBody';
import { mayFallBack } from './fallback/mayFallBack';
import { modelPauses } from './fallback/modelPauses';
import type { Fields } from './formats/assembler';
import type { Turn } from './formats/conversation';
import { withInstruction } from './input.fields';
import { schemaInstruction } from './json/fields';
import type { Schema } from './json/jsonSchema';
import { isFieldRefusal } from './json/fieldRefusal';
import { type ItemChat, type PaidAnswer, paidAnswer, requestOf } from './paidAnswer';
import type { ChatQuestion } from './question';

/** A model that was not available, and why. */
export interface UnavailableModel {
	model: string;
	reason: string;
}

/** A question to whichever model is available. */
export interface AskedQuestion extends Omit<ChatQuestion, 'model' | 'schemaFields'> {
	/** In order of preference. */
	models: string[];
	/** Of the answer; undefined for any answer. */
	schema: Schema | undefined;
	/** Whether the schema is a field of the request, as far as the format and the model allow. */
	inField: boolean;
	/** Whether it is in the system prompt, even if it is in the field as well. */
	inPrompt: boolean;
}

/** On which way an answer was paid for. */
interface Way {
	model: string;
	inField: boolean;
	/** The models that were to be asked before. */
	unavailable?: UnavailableModel[];
}

/** The way that an earlier try of the run took, and how to note that of this one. */
interface WayMemory {
	known: Way | undefined;
	note: (way: Way) => Promise<void>;
}

/** Asks chat models for one item, and pays for each answer once. */
export class Asker {
	constructor(private readonly chat: ItemChat) {}

	/**
	 * Asks the first model that is available.
	 *
	 * @throws GatewayFailure of the last model; it keeps the part of the answer that had arrived
	 */
	async ask(question: AskedQuestion): Promise<PaidAnswer & { unavailable: UnavailableModel[] }> {
		const unavailable: UnavailableModel[] = [];
		const memory = this.wayMemory(question, unavailable);
		const { known } = memory;
		unavailable.push(...(known?.unavailable ?? []));
		const models = known
			? [known.model, ...question.models.filter((model) => model !== known.model)]
			: this.available(question.models, unavailable);
		for (let index = 0; ; index++) {
			const model = models[index];
			const askedAt = this.now;
			try {
				const answer = await this.askModel(model, question, memory);
				if (question.models.length > 1) modelPauses.answered(this.keyOf(model));
				return { ...answer, unavailable };
			} catch (error) {
				const failure = toFailure(error);
				const isOver = index === models.length - 1 || this.chat.live.hasShown;
				const mayAskAnother = mayFallBack(failure, model);
				const { message: reason } = failure;
				if (mayAskAnother && question.models.length > 1) this.pause(model, question, { askedAt, reason });
				if (isOver || !mayAskAnother) throw afterOthers(failure, unavailable);
				unavailable.push({ model, reason });
			}
		}
	}

	/** The models that are not paused, or the last one if all are. */
	private available(models: string[], unavailable: UnavailableModel[]): string[] {
		return models.filter((model, index) => {
			const isLastResort = index === models.length - 1 && unavailable.length === index;
			const reason = isLastResort ? undefined : modelPauses.reasonToSkip(this.keyOf(model), this.now);
			if (reason !== undefined) unavailable.push({ model, reason });
			return reason === undefined;
		});
	}

	/** Asks one model, with the schema in a field of the request if possible, and otherwise in the system prompt. */
	private async askModel(model: string, question: AskedQuestion, memory: WayMemory): Promise<PaidAnswer> {
		const { learned } = this.chat.call.client;
		const refusesSchema = `refuses a schema: ${this.keyOf(model)}`;
		const schemaFields = this.schemaFields(question);
		const { known } = memory;
		const accepts = known?.model === model ? known.inField : learned.recall(refusesSchema) === undefined;
		const inField = schemaFields !== undefined && accepts;
		const inPrompt = question.inPrompt || question.inField;
		const byPrompt = async () =>
			await this.noted(memory, { model, inField: false }, written(model, { ...question, inPrompt }));
		if (!inField) return await byPrompt();
		try {
			return await this.noted(memory, { model, inField }, written(model, question, schemaFields));
		} catch (error) {
			const failure = toFailure(error);
			if (!isFieldRefusal(failure) || this.chat.live.hasShown) throw failure;
		}
		const answer = await byPrompt();
		learned.note(refusesSchema, true);
		return answer;
	}

	/** Asks, and notes the way as soon as something may have been paid for on it. */
	private async noted({ note }: WayMemory, way: Way, question: ChatQuestion): Promise<PaidAnswer> {
		try {
			const answer = await paidAnswer(this.chat, question);
			await note(way);
			return answer;
		} catch (error) {
			const failure = toFailure(error);
			if (failure.facts.mayHaveBeenCarriedOut) await note(way);
			throw failure;
		}
	}

	/** So that an answer is not paid for on another way again. */
	private wayMemory(question: AskedQuestion, unavailable: UnavailableModel[]): WayMemory {
		const { call } = this.chat;
		const schemaFields = this.schemaFields(question);
		const hasOneWay = question.models.length === 1 && schemaFields === undefined;
		if (hasOneWay) return { known: undefined, note: async () => {} };
		const slot = call.payments.slot([call.itemIndex], () => {
			const { endpoint, json } = requestOf(this.chat, written(question.models[0], question, schemaFields));
			return `way ${JSON.stringify([endpoint.path, question.models])}${jsonBody(json).identity()}`;
		});
		return {
			known: call.payments.recall<Way>(slot),
			note: async (way) => await call.payments.keep(slot, { ...way, unavailable: [...unavailable] }),
		};
	}

	private schemaFields({ schema, inField, tools }: AskedQuestion): Fields | undefined {
		if (schema === undefined || !inField) return undefined;
		return this.chat.writer.schemaFields(schema, tools.length > 0);
	}

	private pause(
		model: string,
		question: AskedQuestion,
		{ askedAt, reason }: { askedAt: number; reason: string },
	): void {
		const { call } = this.chat;
		const refusedForMs = call.client.refusedForMs(requestOf(this.chat, written(model, question)));
		modelPauses.failed(this.keyOf(model), { askedAt, now: this.now, reason, refusedForMs });
	}

	private keyOf(model: string): string {
		const { call, writer } = this.chat;
		return JSON.stringify([call.client.credentialId, writer.input.format, model]);
	}

	private get now(): number {
		return this.chat.call.client.clock.now();
	}
}

/** The question to one model. */
function written(model: string, question: AskedQuestion, schemaFields?: Fields): ChatQuestion {
	const { schema, inPrompt, input, further, tools, streamed } = question;
	const instructed =
		schema !== undefined && inPrompt ? withInstruction(input, schemaInstruction(schema)) : input;
	const own = further.map((turn) => ownTurn(turn, model));
	return { model, input: instructed, further: own, tools, schemaFields, streamed };
}

/**
 * A turn without what another model thought: signatures are valid only for the model that made them (Anthropic), and some
 * models refuse the fields of others ("property 'reasoning_content' is unsupported", Cerebras and Mistral).
 */
function ownTurn({ thoughts, ...turn }: Turn, model: string): Turn {
	if (!thoughts || thoughts.model === model) return { ...turn, thoughts };
	return { ...turn, thoughts: { ...thoughts, blocks: [], fields: {} } };
}

/** The failure of the last model, with what happened to those before it. */
function afterOthers(failure: GatewayFailure, unavailable: UnavailableModel[]): GatewayFailure {
	if (unavailable.length === 0) return failure;
	const { kind, message, description, facts } = failure;
	const others = unavailable.map(({ model, reason }) => `${model} (${reason})`).join(', ');
	return new GatewayFailure(
		kind,
		message,
		`${description} Other models were not available: ${others}.`,
		facts,
	);
}
