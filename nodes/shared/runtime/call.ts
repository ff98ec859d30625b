import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { inputFailure } from '../errors/errorMessages';
import type { GatewayClient, RequestOptions } from '../gateway/client';
import { asRecord } from '../errors/errorBody';
import { parseJson } from '../http/answerReaders';
import { Parameters } from './parameterReader';
import type { Places } from './pool';

/** The entries of Options that every action node has. */
interface CommonOptions {
	maxRetries?: number;
	timeoutSeconds?: number;
	extraBodyFields?: string | object;
}

/** What a number may be; both ends are allowed. */
export interface NumberLimits {
	min?: number;
	max?: number;
	whole?: boolean;
}

/** One operation on one item: its parameters, the gateway, and the cancel signal. */
export class Call<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	private cachedOptions: IDataObject | undefined;

	constructor(
		/** The engine's functions, for files and other helpers. */
		readonly context: Context,
		readonly itemIndex: number,
		readonly client: GatewayClient,
		/** How many requests this run may have under way at once. */
		readonly maxConcurrency: number,
		/** The places for them, shared by all items of the run. */
		readonly places: Places,
		private readonly parameters = new Parameters(context),
		private readonly beside: <T>(work: () => Promise<T>) => Promise<T> = async (work) => await work(),
	) {}

	/**
	 * Does what is left of the item once the gateway has done its part: fetching files, for example. The next
	 * item starts meanwhile; at most Max Concurrency items are at this point.
	 */
	async afterwards<T>(work: () => Promise<T>): Promise<T> {
		return await this.beside(work);
	}

	get node(): INode {
		return this.context.getNode();
	}

	/** The input item itself. */
	get item(): INodeExecutionData {
		return this.context.getInputData()[this.itemIndex];
	}

	get signal(): AbortSignal | undefined {
		return this.context.getExecutionCancelSignal();
	}

	/** A text parameter; numbers and other values from expressions become text. */
	text(name: string): string {
		const value = this.read(name);
		if (value === undefined || value === null) return '';
		return typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
	}

	/**
	 * A text parameter that must not be empty.
	 *
	 * @param label what the editor calls it
	 * @throws GatewayFailure (kind `input`)
	 */
	requiredText(name: string, label: string): string {
		return this.demand(this.text(name), label);
	}

	/**
	 * The chosen value of a picker (list or ID).
	 *
	 * @throws GatewayFailure (kind `input`) when nothing is chosen
	 */
	picked(name: string, label: string): string {
		const value = this.parameters.read(name, this.itemIndex, true);
		return this.demand(String((value as string | number | null) ?? '').trim(), label);
	}

	flag(name: string): boolean {
		return this.read(name) === true;
	}

	/** A parameter as it is, for those of several values. */
	value(name: string): unknown {
		return this.read(name);
	}

	/** A number parameter. @throws GatewayFailure (kind `input`) when it is no number within the limits */
	number(name: string, label: string, limits: NumberLimits = {}): number {
		return toNumber(this.read(name), label, limits);
	}

	/** The whole Options collection of this item; read once. */
	get options(): IDataObject {
		this.cachedOptions ??= (asRecord(this.read('options')) ?? {}) as IDataObject;
		return this.cachedOptions;
	}

	/** A number from Options, or undefined when it is not set. @throws like {@link number} */
	optionalNumber(name: string, label: string, limits: NumberLimits = {}): number | undefined {
		const value = this.options[name];
		if (value === undefined || value === null || value === '') return undefined;
		return toNumber(value, label, limits);
	}

	/** Patience of requests, from Options. */
	get requestOptions(): RequestOptions {
		const { maxRetries, timeoutSeconds } = this.options as CommonOptions;
		return {
			maxRetries: typeof maxRetries === 'number' && maxRetries >= 0 ? maxRetries : undefined,
			timeoutSeconds: typeof timeoutSeconds === 'number' && timeoutSeconds > 0 ? timeoutSeconds : undefined,
		};
	}

	/**
	 * Extra Body Fields, for fields of a gateway that are newer than this node; they win over the node's own.
	 *
	 * @throws GatewayFailure (kind `input`) when it is not a JSON object
	 */
	get extraBodyFields(): Record<string, unknown> {
		const { extraBodyFields: value } = this.options as CommonOptions;
		if (value === undefined || value === '') return {};
		const fields = asRecord(jsonValue(value, 'Extra Body Fields', '{"seed": 7}'));
		if (!fields) {
			throw inputFailure('Extra Body Fields', 'is not a JSON object', 'Enter an object such as {"seed": 7}.');
		}
		return fields;
	}

	/** Shows a remark beside the node's output after the run. */
	hint(message: string): void {
		this.context.addExecutionHints({
			message: `${message} [item ${this.itemIndex}]`,
			location: 'outputPane',
		});
	}

	private read(name: string): unknown {
		return this.parameters.read(name, this.itemIndex);
	}

	private demand(value: string, label: string): string {
		if (value.trim() === '') {
			throw inputFailure(
				label,
				'is empty',
				`Fill in ${label}. If it comes from an expression, check that this item has the field.`,
			);
		}
		return value;
	}
}

/**
 * The value of a JSON parameter: text that is parsed, or what an expression gives.
 *
 * @param label what the editor calls the parameter
 * @param example for the advice
 * @throws GatewayFailure (kind `input`) when it is not JSON
 */
export function jsonValue(value: unknown, label: string, example: string): unknown {
	if (typeof value !== 'string') return value;
	const parsed = parseJson(value);
	if (parsed) return parsed.value;
	throw inputFailure(
		label,
		'is not JSON',
		`Check commas, brackets and quotation marks; it should look like ${example}.`,
	);
}

function toNumber(value: unknown, label: string, limits: NumberLimits): number {
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, whole = false } = limits;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) {
		throw inputFailure(label, 'is not a number', 'Enter a number, or an expression that gives one.');
	}
	if (number < min || number > max) throw inputFailure(label, `is ${number}`, rangeAdvice(min, max));
	if (whole && !Number.isInteger(number)) {
		throw inputFailure(label, `is ${number}`, 'Enter a whole number.');
	}
	return number;
}

function rangeAdvice(min: number, max: number): string {
	if (max === Number.POSITIVE_INFINITY) return `Enter ${min} or more.`;
	return min === Number.NEGATIVE_INFINITY ? `Enter ${max} or less.` : `Enter a number from ${min} to ${max}.`;
}
