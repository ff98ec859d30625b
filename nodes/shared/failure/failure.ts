import { ApplicationError, BaseError, NodeApiError, type IDataObject, type INode } from 'n8n-workflow';
import { type Rows, rowsInWords } from '../plain/inWords';
import { approximateLength, asRecord, beginningOf, textOr, withoutGaps } from '../plain/values';
import type { FailureFacts, Report } from './evidence';
import { fateInWords } from './fate';
import type { Charge, FailureKind, Verdict } from './kinds';
import { verdictOfKind } from './rules';

/** A failure as n8n can save it. */
export interface PlainFailure {
	kind: FailureKind;
	message: string;
	advice: string;
	facts: FailureFacts;
	verdict: Verdict;
}

/** The only class of failures that an item ends with: what happened, what to do next, and what is paid for. */
export class GatewayFailure extends Error {
	override readonly name = 'GatewayFailure';
	/** Says what to do next, but not what became of the request. */
	readonly advice: string;
	/** The report that a reader has found in the response; `attempt` judges it with what it knows of the request. */
	readonly report?: Report;

	constructor(
		readonly kind: FailureKind,
		message: string,
		advice: string,
		readonly facts: FailureFacts = {},
		readonly verdict: Verdict = verdictOfKind(kind),
		more: { report?: Report; cause?: unknown } = {},
	) {
		super(cut(message), { cause: more.cause });
		this.advice = cut(advice);
		this.report = more.report;
	}

	/** Says what to do next, and what became of the request. */
	get description(): string {
		const fate = fateInWords(this.kind, this.verdict, this.facts);
		return [this.advice, fate].filter((words) => words !== '').join(' ');
	}

	get charge(): Charge {
		return this.verdict.charge;
	}

	/** True if the gateway has certainly not charged for it. */
	get isFree(): boolean {
		return this.verdict.charge === 'none';
	}

	/** True if nobody knows whether the request was carried out. */
	get isUnclear(): boolean {
		return this.charge === 'possible' && this.kind !== 'task';
	}

	/** True if a request was given up before it was sent. */
	get wasHeldBack(): boolean {
		return this.kind === 'cancelled' && this.isFree;
	}

	/** Returns the same failure with more facts. */
	with(facts: FailureFacts): GatewayFailure {
		return this.saying({}, facts);
	}

	/** Returns the same failure in other words, with more facts. */
	saying(
		{ message = this.message, advice = this.advice }: { message?: string; advice?: string },
		facts: FailureFacts = {},
	): GatewayFailure {
		return this.copy({ message, advice, facts: { ...this.facts, ...facts } });
	}

	/** Returns the same failure with more advice. */
	advising(more: string): GatewayFailure {
		return this.saying({ advice: this.advice === '' ? more : `${this.advice} ${more}` });
	}

	/** Returns the same failure with another verdict. */
	judged(verdict: Partial<Verdict>): GatewayFailure {
		return this.copy({ verdict: { ...this.verdict, ...verdict } });
	}

	/** Combines this failure with that of an earlier attempt, and keeps what that attempt may have left behind. */
	after(earlier: GatewayFailure | undefined): GatewayFailure {
		if (!earlier) return this;
		const { attempts = 1 } = this.facts;
		// A request that was not sent again tells nothing new about the attempts before it.
		const isHeldBack = this.wasHeldBack || attempts === 0;
		const facts = isHeldBack
			? { ...earlier.facts, ...this.facts, attempts: earlier.facts.attempts }
			: this.facts;
		const partial = combined(earlier.facts.partial, this.facts.partial);
		const kept = this.copy({ facts: Object.keys(partial).length > 0 ? { ...facts, partial } : facts });
		if (!this.isFree || earlier.isFree) return kept;
		const wanted = this.wasHeldBack ? 'soon' : this.verdict.again;
		const isUnclear = wanted !== 'never' && earlier.verdict.again !== 'soon';
		const again = isUnclear ? 'ifFree' : wanted;
		const counted = isHeldBack ? kept : kept.with({ attempts: Math.max(2, attempts) });
		return counted.judged({ charge: 'possible', again });
	}

	private copy(changes: Partial<PlainFailure>): GatewayFailure {
		const { kind, message, advice, facts, verdict } = { ...this.toPlain(), ...changes };
		const { report, cause } = this;
		const copy = new GatewayFailure(kind, message, advice, facts, verdict, { report, cause });
		copy.stack = this.stack;
		return copy;
	}

	/** Returns the failure as plain data, which n8n can save. */
	toPlain(): PlainFailure {
		const { kind, message, advice, facts, verdict } = this;
		return { kind, message, advice, facts: { ...facts }, verdict: { ...verdict } };
	}

	static fromPlain({ kind, message, advice, facts, verdict }: PlainFailure): GatewayFailure {
		return new GatewayFailure(kind, message, advice, facts, verdict);
	}

	/** Makes the item for a node that continues on failure, without unknown facts. Its shape goes to the error output. */
	toErrorItem(): { error: string; details: IDataObject } {
		const { partial } = this.facts;
		const earlier: Charge | undefined = this.verdict.paidBefore ? 'certain' : undefined;
		const details = withoutGaps({
			kind: this.kind,
			description: `${this.description}${this.isUnsent ? ' Nothing was sent.' : ''}`,
			charge: this.isFree ? earlier : this.charge,
			...this.facts,
			partial: partial && withoutGaps(partial),
		});
		return { error: this.message, details };
	}

	/** Returns the failure as n8n shows it on the node. */
	toNodeApiError(node: INode, rows: Rows): NodeApiError {
		const message = `${this.message}${rowsInWords(rows)}`;
		const unsent = rows.indexes.length < rows.of ? ' Nothing was sent for this row.' : ' Nothing was sent.';
		const description = `${this.description}${this.isUnsent ? unsent : ''}`;
		return this.asNodeError(node, message, description, { itemIndex: rows.indexes[0] });
	}

	/** True if a parameter was wrong before anything was sent or paid for. */
	private get isUnsent(): boolean {
		const { attempts, partial } = this.facts;
		const isFirst = partial === undefined && !this.verdict.paidBefore;
		return this.kind === 'input' && attempts === 0 && isFirst;
	}

	/** Returns the failure of a sub-node, which n8n shows on that node and on the one that uses it. */
	toSubNodeError(node: INode): NodeApiError {
		return this.asNodeError(node, this.message, this.description, { functionality: 'configuration-node' });
	}

	private asNodeError(
		node: INode,
		message: string,
		description: string,
		place: { itemIndex?: number; functionality?: 'configuration-node' },
	): NodeApiError {
		const { details } = this.toErrorItem();
		const httpCode = this.facts.status === undefined ? undefined : String(this.facts.status);
		const nodeError = new NodeApiError(node, { message }, { ...place, message, description, httpCode });
		// NodeApiError replaces messages that mention a network code with its own.
		nodeError.message = message;
		nodeError.description = description;
		// The editor shows this under "Error details".
		nodeError.context.data = details;
		return nodeError;
	}
}

/**
 * Combines what attempts have left behind: the longer value of each field, because a later attempt may break off
 * sooner. A shorter text that is not its beginning may be another paid answer, and is kept as well.
 */
function combined(earlier: IDataObject = {}, later: IDataObject = {}): IDataObject {
	const all = { ...earlier, ...later };
	const others: IDataObject = {};
	for (const name of Object.keys(later).filter((one) => one in earlier && one !== OTHERS)) {
		const values = [earlier[name], later[name]];
		const [shorter, longer] = values.sort((one, other) => approximateLength(one) - approximateLength(other));
		all[name] = longer;
		const isOther = typeof shorter === 'string' && !textOr(longer).startsWith(shorter);
		if (isOther) others[name] = shorter;
	}
	if (Object.keys(others).length === 0) return all;
	return { ...all, [OTHERS]: [...((all[OTHERS] as IDataObject[] | undefined) ?? []), others] };
}

const OTHERS = 'otherAttempts';

/** The maximum length of a message, which may contain words of a gateway or of an item. */
const MAX_LENGTH = 2_000;

function cut(text: string): string {
	return text.length > MAX_LENGTH ? `${beginningOf(text, MAX_LENGTH)}…` : text;
}

/** Turns anything thrown into a failure. Whatever neither this package nor n8n has put into words is a fault. */
export function toFailure(thrown: unknown): GatewayFailure {
	if (thrown instanceof GatewayFailure) return thrown;
	const isOfHost = thrown instanceof BaseError || thrown instanceof ApplicationError;
	return isOfHost ? hostFailure(thrown) : faultOf(thrown);
}

/** Runs code of this package inside n8n's request helper, so that its faults are not taken for network errors. */
export function guarded<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw toFailure(error);
	}
}

/** Turns an error of n8n into a failure, such as one about an expression. Only its words are kept. */
export function hostFailure(thrown: unknown): GatewayFailure {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	return new GatewayFailure('input', error.message, adviceIn(error));
}

const REPORT_IT =
	'This is a fault of the package n8n-nodes-unified-ai-gateway, not of your workflow. Please report it at https://github.com/unified-ai-gateway/n8n-nodes-unified-ai-gateway/issues with the stack in the error details or the log of n8n.';

/** The failure for a fault of this package. Only the message and the stack of what was thrown are kept. */
function faultOf(thrown: unknown): GatewayFailure {
	const { message, name, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
	return new GatewayFailure('bug', `The node itself has failed (${name}: ${message})`, REPORT_IT, {
		stack: stack === undefined ? undefined : cut(stack),
	});
}

function adviceIn(error: Error & { description?: unknown; context?: unknown }): string {
	const description = textOr(error.description);
	if (description !== '' || error.name !== 'ExpressionError') return description;
	const node = textOr(asRecord(error.context)?.nodeCause);
	const what = node === '' ? 'cannot be evaluated' : `refers to the node "${node}"`;
	return `An expression in a parameter of this node ${what}. Open the node, and correct the expression that is marked in red.`;
}
