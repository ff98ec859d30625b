import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { emptyFailure, inputFailure } from '../failure/words';
import {
	EXTRA_BODY_FIELDS,
	HEADERS,
	MAX_RATE_LIMIT_RETRIES,
	MAX_RETRIES,
	RETRY_UNCLEAR,
	TIMEOUT,
	TOTAL_TIME_LIMIT,
} from '../fields/options';
import { FileAllowance, hasFile } from '../files/storeFile';
import type { GatewayClient } from '../send/client';
import type { GatewayRequest, RequestOptions } from '../send/layer';
import { readHeaders } from '../send/credential';
import type { AnswerReader } from '../answer/answerReaders';
import type { Redactor } from '../answer/redactor';
import { parseToSend } from '../plain/json';
import { asRecord, hashOf, isBlank, withoutFields } from '../plain/values';
import {
	entriesOf,
	isUnset,
	jsonValue,
	OptionValues,
	type ParameterDefinition,
	pickedIn,
	toNumber,
	toFlag,
	toTextOrChoice,
} from './parameterReader';
import type { Paid, PaidForm, Payments } from './payments';
import type { PoolSettings } from './pool';
import type { Progress } from './progress';
import type { RunResources } from './runResources';

/** One operation on one item: its parameters, the gateway, and the cancel signal. */
export class Call<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	readonly context: Context;
	/** Sends requests whose answers are not kept for a retry; {@link pay} keeps them. */
	readonly client: GatewayClient;
	readonly redactor: Redactor;
	readonly payments: Payments;
	readonly progress: Progress;
	readonly allowance = new FileAllowance();
	private cachedOptions: OptionValues | undefined;

	constructor(
		private readonly run: RunResources<Context>,
		readonly itemIndex: number,
	) {
		this.context = run.context;
		this.client = run.client;
		this.redactor = run.redactor;
		this.payments = run.payments;
		this.progress = run.progress;
	}

	/** Sends a request that this item pays for; see {@link Payments.send}. */
	pay<T>(request: GatewayRequest, read: AnswerReader<T>, form?: PaidForm<T>): Promise<Paid<T>> {
		return this.payments.send([this.itemIndex], request, read, form);
	}

	/**
	 * Downloads a result's file once per run, unless an earlier try has it, under whatever name.
	 * @param about the link, or what else tells which file it is, and what its content depends on
	 */
	async keepFile<T extends { file: IBinaryData }>(
		about: [identity: string, ...unknown[]],
		download: () => Promise<T>,
	): Promise<T> {
		const slot = this.payments.nextSlot([this.itemIndex], JSON.stringify(['download', about[0]]));
		const known = await this.payments.recall<T>(slot);
		if (known && (await hasFile(this.context, known.file))) return known;
		const downloaded = await this.oncePerRun(['download', ...about], download);
		await this.payments.keep(slot, downloaded);
		return downloaded;
	}

	/** Does something once per run, even if several items need it. @param about identifies it */
	oncePerRun<T>(about: unknown[], work: () => Promise<T>): Promise<T> {
		const text = JSON.stringify(about);
		// A link may be a data URI, and long.
		const key = text.length > 100 ? hashOf(text) : text;
		const { done } = this.run;
		const result = (done.get(key) as Promise<T> | undefined) ?? work();
		done.set(key, result);
		return result;
	}

	/** The pool for an operation that runs several items itself, with the capacity and the stop of the node. */
	get pool(): PoolSettings<object | object[]> {
		const continues = 'continueOnFail' in this.context && this.context.continueOnFail();
		return {
			capacity: this.run.capacity,
			signal: this.signal,
			stopsAt: continues ? undefined : (results) => [results].flat().some((one) => 'failure' in one),
		};
	}

	get node(): INode {
		return this.context.getNode();
	}

	/** Returns the fields of the item, without these names, and without those that report a failure of an earlier node. */
	inputFields(without: readonly string[] = []): IDataObject {
		const { json } = this.item;
		return withoutFields(json, [...without, ...outcomeFields(json)]);
	}

	get item(): INodeExecutionData {
		return this.context.getInputData()[this.itemIndex];
	}

	get signal(): AbortSignal | undefined {
		return this.context.getExecutionCancelSignal();
	}

	/** Returns a parameter as it is; null when the node does not show it. */
	value({ name }: ParameterDefinition): unknown {
		return this.run.parameters.read(name, this.itemIndex);
	}

	/** Returns a parameter as text; numbers and other values from expressions become text. */
	text(definition: ParameterDefinition): string {
		const text = toTextOrChoice(this.value(definition), definition);
		this.hintAtObject(text, definition.displayName);
		return text;
	}

	requiredText(definition: ParameterDefinition): string {
		const text = this.text(definition);
		if (!isBlank(text)) return text;
		throw emptyFailure(definition, `Enter a value for ${definition.displayName}.`);
	}

	picked(definition: ParameterDefinition): string {
		const value = pickedIn(this.value(definition));
		if (value !== '') return value;
		throw emptyFailure(definition, 'Select one from the list, or enter its ID.');
	}

	/** Returns false when the node does not show the parameter, and its default for the empty cell of a table. */
	flag(definition: ParameterDefinition): boolean {
		const value = this.value(definition);
		if (value === null) return false;
		return isUnset(value) ? definition.default === true : toFlag(value, definition);
	}

	/** Returns a number; the default of the parameter for the empty cell of a table. */
	number(definition: ParameterDefinition): number {
		const value = this.value(definition);
		return toNumber(isUnset(value) ? definition.default : value, definition);
	}

	/** Returns the entries of a fixed collection with one kind of entry; none when it is empty or not shown. */
	entries(definition: ParameterDefinition): IDataObject[] {
		return entriesOf(this.value(definition), definition);
	}

	get options(): OptionValues {
		this.cachedOptions ??= new OptionValues(this.run.parameters.options(this.itemIndex));
		return this.cachedOptions;
	}

	/** Reads from Limits and Retries how to send requests. Limits have ranges: a timer of a month would end at once. */
	get requestOptions(): RequestOptions {
		return {
			headers: this.headers,
			maxRetries: this.options.number(MAX_RETRIES),
			maxRateLimitRetries: this.options.number(MAX_RATE_LIMIT_RETRIES),
			timeoutSeconds: this.options.number(TIMEOUT),
			totalMinutes: this.options.number(TOTAL_TIME_LIMIT),
			repeatsUnclear: this.options.flag(RETRY_UNCLEAR),
		};
	}

	private get headers(): Record<string, string> | undefined {
		const entries = entriesOf(this.options.value(HEADERS), HEADERS);
		if (entries.length === 0) return undefined;
		const { ownHeaderNames } = this.client;
		return readHeaders(entries, ownHeaderNames, (what, advice) => inputFailure(HEADERS, what, advice));
	}

	/** The value of Extra Body Fields, for fields of a gateway that this node does not know; they override its own. */
	get extraBodyFields(): Record<string, unknown> {
		const value = this.options.value(EXTRA_BODY_FIELDS);
		if (isUnset(value)) return {};
		const fields = asRecord(jsonValue(value, EXTRA_BODY_FIELDS, '{"seed": 7}', parseToSend));
		if (fields) return fields;
		throw inputFailure(
			EXTRA_BODY_FIELDS,
			'is not a JSON object',
			'Enter an object, for example {"seed": 7}.',
		);
	}

	/** Warns about "[object Object]", which JavaScript makes of an object in the middle of a text. */
	hintAtObject(text: string, where: string): void {
		if (!text.includes('[object Object]')) return;
		this.warn(
			`${where} contains "[object Object]", which an expression makes of an object. Choose one of its fields, or use JSON.stringify() for all of them`,
		);
	}

	/** Shows a hint in yellow. */
	warn(message: string | undefined): void {
		if (message !== undefined) this.run.warnings.add(message);
		this.hint(message);
	}

	hint(message: string | undefined): void {
		if (message === undefined) return;
		const { hints } = this.run;
		hints.set(message, (hints.get(message) ?? new Set()).add(this.itemIndex));
	}
}

/**
 * Names the fields with which an earlier node says that it has no answer: a node of this package with details, or a
 * node of n8n with an object instead of a text, or with nothing else.
 */
function outcomeFields(json: IDataObject): string[] {
	const { error, details, empty } = json;
	const hasDetails = error !== undefined && typeof asRecord(details)?.kind === 'string';
	const isOfN8n = typeof asRecord(error)?.message === 'string' || Object.keys(json).join() === 'error';
	return [
		...(hasDetails || isOfN8n ? ['error'] : []),
		...(hasDetails ? ['details'] : []),
		...(empty === true ? ['empty', 'message'] : []),
	];
}
