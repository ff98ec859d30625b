import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import type { PaidSlot } from '../../shared/run/payments';
import { jsonBody } from '../../shared/send/requestBody';
import { type ChatInput, type Turn, withInstruction } from '../formats/conversation';
import { schemaInstruction } from '../json/fields';
import { type ChatQuestion, type ItemChat, type PaidAnswer, paidAnswer, requestOf } from '../paidAnswer';
import { ModelPauses } from './modelPauses';
import { isFieldRefusal, mayFallBack, refusesSchema } from './refusals';
import { asRecord, type Fields } from '../../shared/plain/values';

export interface UnavailableModel {
	model: string;
	reason: string;
}

/** The attempt whose answer may have been paid for. */
interface PaidAttempt {
	model: string;
	inField: boolean;
	unavailable?: UnavailableModel[];
}

/**
 * Asks each model in turn until one answers, with the schema in a field of the request if possible, and otherwise in
 * the system prompt. The next attempt is made only if the earlier ones cost nothing and nobody saw a part of them.
 * The attempt that an earlier try has paid for comes first.
 */
export async function firstAnswer(
	chat: ItemChat,
	input: ChatInput,
	models: string[],
): Promise<PaidAnswer & { unavailable: UnavailableModel[] }> {
	const { call, format, json, live, settings, tools } = chat;
	const { clock, learned } = call.client;
	const pauses = new ModelPauses(learned);
	const hasFallback = models.length > 1;
	const keyOf = (model: string) => JSON.stringify([format.operation.value, model]);
	const { schema, inField } = json ?? {};
	const { tools: ownTools, thinking } = call.extraBodyFields;
	const hasOthers = tools.length > 0 || Boolean(ownTools ?? thinking);
	const object = asRecord(schema?.source);
	// The fields of the formats accept only schemas of objects.
	const field =
		object?.type === 'object' && inField
			? format.request.schemaFields(object, hasOthers, settings)
			: undefined;
	const takesField = (model: string) =>
		field !== undefined && learned.recall(aboutRefusal(keyOf(model))) === undefined;

	const questionTo = (model: string, schemaFields: Fields | undefined): ChatQuestion => {
		const own = { ...input, turns: input.turns.map((turn) => ownTurn(turn, model)) };
		const inPrompt = json?.inPrompt || (inField && !schemaFields);
		const asked = schema && inPrompt ? withInstruction(own, schemaInstruction(schema.source)) : own;
		return { model, input: asked, schemaFields };
	};
	const slot = hasFallback || field ? slotOf(chat, questionTo(models[0], field), models) : undefined;
	const paid = slot && (await call.payments.recall<PaidAttempt>(slot));
	const unavailable = [...(paid?.unavailable ?? [])];
	/** Notes the models at the front that are not to be asked now. @returns the next one to ask, and those after it */
	const withoutPaused = (list: string[]): string[] => {
		const first = list.findIndex((model) => {
			const reason = pauses.reasonToSkip(keyOf(model), clock.now());
			if (reason !== undefined) unavailable.push({ model, reason });
			return reason === undefined;
		});
		return first < 0 ? [] : list.slice(first);
	};
	let left = hasFallback && !paid ? withoutPaused(models) : models;
	if (paid) left = [paid.model, ...models.filter((model) => model !== paid.model)];
	if (left.length === 0) {
		// The last resort.
		unavailable.pop();
		left = models.slice(-1);
	}
	let isInField = paid ? paid.inField : takesField(left[0]);
	let hasRefusedField = false;
	let askedAt = clock.now();
	for (;;) {
		const [model, ...others] = left;
		const question = questionTo(model, isInField ? field : undefined);
		const mayGoOn = others.some((one) => pauses.mayAsk(keyOf(one), clock.now()));
		const outcome = await paidAnswer(chat, question, mayGoOn).catch(toFailure);
		const isFailure = outcome instanceof GatewayFailure;
		if (slot && (!isFailure || !outcome.isFree)) {
			// A retry must not pay for another attempt.
			const attempt: PaidAttempt = { model, inField: isInField, unavailable: [...unavailable] };
			await call.payments.keep(slot, attempt);
		}
		if (!isFailure) {
			if (hasFallback) pauses.answered(keyOf(model));
			if (hasRefusedField) learned.note(aboutRefusal(keyOf(model)), true);
			return { ...outcome, unavailable };
		}
		// Another answer would be paid for as well.
		if (!outcome.isFree) throw afterOthers(outcome, unavailable);
		if (isInField && !live.hasShown && isFieldRefusal(outcome)) {
			isInField = false;
			hasRefusedField = !refusesSchema(outcome);
			continue;
		}
		const { message: reason } = outcome;
		const mayAskAnother = mayFallBack(outcome, model);
		if (mayAskAnother && hasFallback) {
			const refusedForMs = call.client.refusedForMs(requestOf(chat, question));
			pauses.failed(keyOf(model), { askedAt, now: clock.now(), reason, refusedForMs });
		}
		const known = unavailable.length;
		left = mayAskAnother && !live.hasShown ? withoutPaused(others) : [];
		if (left.length === 0) throw afterOthers(outcome, unavailable);
		unavailable.splice(known, 0, { model, reason });
		isInField = takesField(left[0]);
		hasRefusedField = false;
		askedAt = clock.now();
	}
}

function slotOf(chat: ItemChat, question: ChatQuestion, models: string[]): PaidSlot {
	const { endpoint, json } = requestOf(chat, question);
	const identity = `attempt ${JSON.stringify([endpoint.path, models])}${jsonBody(json).identity()}`;
	return chat.call.payments.nextSlot([chat.call.itemIndex], identity);
}

function aboutRefusal(key: string): string {
	return `refuses a schema: ${key}`;
}

/**
 * Removes the thoughts of another model: signatures are valid only for their model (Anthropic), and some gateways
 * refuse the fields of others ("property 'reasoning_content' is unsupported", Cerebras and Mistral).
 */
function ownTurn(turn: Turn, model: string): Turn {
	const { thoughts } = turn;
	if (!thoughts || thoughts.model === model) return turn;
	const parts = thoughts.parts.filter(({ callId }) => callId !== undefined);
	return { ...turn, thoughts: { ...thoughts, parts, fields: {} } };
}

function afterOthers(failure: GatewayFailure, unavailable: UnavailableModel[]): GatewayFailure {
	if (unavailable.length === 0) return failure;
	const others = unavailable.map(({ model, reason }) => `${model} (${reason})`).join(', ');
	return failure.advising(`Other models were not available: ${others}.`);
}
