import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { PaidSlot } from '../../shared/run/payments';
import { jsonBody } from '../../shared/send/requestBody';
import type { Fields } from '../formats/assembler';
import type { Turn } from '../formats/conversation';
import { withInstruction } from '../input.fields';
import { type JsonOptions, schemaInstruction } from '../json/fields';
import { type ItemChat, requestOf } from '../paidAnswer';
import type { ChatQuestion } from '../question';
import { ModelPauses } from './modelPauses';
import { isFieldRefusal, mayFallBack } from './refusals';

/** A model that was not available, and why. */
export interface UnavailableModel {
	model: string;
	reason: string;
}

/** A question to whichever model is available. */
export interface OpenQuestion extends Omit<ChatQuestion, 'model' | 'schemaFields'> {
	/** Undefined when the answer is not to be parsed. */
	json: JsonOptions | undefined;
}

/** On which way an answer was paid for. */
interface PaidWay {
	model: string;
	/** Whether the schema was a field of the request. */
	inField: boolean;
	/** The models that were to be asked before. */
	unavailable?: UnavailableModel[];
}

/**
 * The ways to ask one question: each model in turn, with the schema of the answer in a field of the request if possible,
 * and otherwise in the system prompt. The next way is taken only when nothing was paid for on those before it. An answer
 * that an earlier try of the run has paid for is on the first way again.
 */
export class Ways {
	/** The models that could not be asked, or did not answer. */
	readonly unavailable: UnavailableModel[];
	/** Still to be asked, the present one first. */
	private models: string[];
	private inField: boolean;
	private askedAt: number;
	private hasRefusedField = false;
	private readonly hasFallback: boolean;
	private readonly schemaFields: Fields | undefined;
	private readonly pauses: ModelPauses;
	/** Where the way of a question with several is kept. */
	private readonly slot: PaidSlot | undefined;

	/** @param models in order of preference */
	constructor(
		private readonly chat: ItemChat,
		private readonly open: OpenQuestion,
		models: string[],
	) {
		const { call, writer } = chat;
		const { schema, inField = false } = open.json ?? {};
		this.pauses = new ModelPauses(call.client.learned);
		this.schemaFields =
			schema && inField ? writer.schemaFields(schema.source, open.tools.length > 0) : undefined;
		this.hasFallback = models.length > 1;
		const hasSeveral = this.hasFallback || this.schemaFields !== undefined;
		this.slot = hasSeveral ? this.slotOf(models) : undefined;
		const paid = this.slot && call.payments.recall<PaidWay>(this.slot);
		this.unavailable = [...(paid?.unavailable ?? [])];
		this.models = paid
			? [paid.model, ...models.filter((model) => model !== paid.model)]
			: this.withoutPaused(models);
		this.inField = paid ? paid.inField : this.takesField();
		this.askedAt = this.now;
	}

	/** The question on the present way. */
	get question(): ChatQuestion {
		return this.inField
			? this.questionTo(this.models[0], this.schemaFields)
			: this.questionTo(this.models[0]);
	}

	/** Notes that the question was answered on the present way. */
	async answered(): Promise<void> {
		const { learned } = this.chat.call.client;
		await this.keep();
		if (this.hasFallback) this.pauses.answered(this.key);
		if (this.hasRefusedField) learned.note(aboutRefusal(this.key), true);
	}

	/**
	 * Goes on to the next way after a failure of the present one.
	 *
	 * @throws the failure when there is no other way, or when the caller has seen a part of the answer
	 */
	async failed(failure: GatewayFailure): Promise<void> {
		const { hasShown } = this.chat.live;
		if (failure.facts.mayHaveBeenCarriedOut) await this.keep();
		if (this.inField && !hasShown && isFieldRefusal(failure)) {
			this.inField = false;
			this.hasRefusedField = true;
			return;
		}
		const [model, ...others] = this.models;
		const mayAskAnother = mayFallBack(failure, model);
		if (mayAskAnother && this.hasFallback) this.pause(failure.message);
		if (!mayAskAnother || others.length === 0 || hasShown) throw afterOthers(failure, this.unavailable);
		this.unavailable.push({ model, reason: failure.message });
		this.models = others;
		this.inField = this.takesField();
		this.hasRefusedField = false;
		this.askedAt = this.now;
	}

	/** Keeps the present way, so that a retry does not pay for an answer on another one. */
	private async keep(): Promise<void> {
		if (!this.slot) return;
		const { models, inField, unavailable } = this;
		const paid: PaidWay = { model: models[0], inField, unavailable: [...unavailable] };
		await this.chat.call.payments.keep(this.slot, paid);
	}

	private slotOf(models: string[]): PaidSlot {
		const { call } = this.chat;
		return call.payments.slot([call.itemIndex], () => {
			const { endpoint, json } = requestOf(this.chat, this.questionTo(models[0], this.schemaFields));
			return `way ${JSON.stringify([endpoint.path, models])}${jsonBody(json).identity()}`;
		});
	}

	/** The models that are not paused, or the last one if all are. */
	private withoutPaused(models: string[]): string[] {
		return models.filter((model, index) => {
			const isLastResort = index === models.length - 1 && this.unavailable.length === index;
			const reason = isLastResort ? undefined : this.pauses.reasonToSkip(this.keyOf(model), this.now);
			if (reason !== undefined) this.unavailable.push({ model, reason });
			return reason === undefined;
		});
	}

	private pause(reason: string): void {
		const { askedAt, now } = this;
		const refusedForMs = this.chat.call.client.refusedForMs(requestOf(this.chat, this.question));
		this.pauses.failed(this.key, { askedAt, now, reason, refusedForMs });
	}

	/** Whether the present model takes the schema in a field, as far as it is known. */
	private takesField(): boolean {
		const { learned } = this.chat.call.client;
		return this.schemaFields !== undefined && learned.recall(aboutRefusal(this.key)) === undefined;
	}

	private questionTo(model: string, schemaFields?: Fields): ChatQuestion {
		const { json, input, further, tools, streamed } = this.open;
		const inPrompt = json?.inPrompt || (json?.inField && !schemaFields);
		const instructed =
			json?.schema && inPrompt ? withInstruction(input, schemaInstruction(json.schema.source)) : input;
		const own = further.map((turn) => ownTurn(turn, model));
		return { model, input: instructed, further: own, tools, schemaFields, streamed };
	}

	private get key(): string {
		return this.keyOf(this.models[0]);
	}

	private keyOf(model: string): string {
		return JSON.stringify([this.chat.writer.input.format, model]);
	}

	private get now(): number {
		return this.chat.call.client.clock.now();
	}
}

function aboutRefusal(key: string): string {
	return `refuses a schema: ${key}`;
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
