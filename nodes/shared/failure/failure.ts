import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';
import type { Outcome } from './outcome';
import { type Rows, rowsInWords } from '../plain/inWords';
import { asRecord, textOr, withoutGaps } from '../plain/values';

/**
 * The kinds of failure; `words.ts` has the words for each. What reads parameters throws `input`, what reads the
 * credential `settings`, and what reads answers `answer`; docstrings name only what is not that.
 */
export type FailureKind =
	| 'settings'
	| 'input'
	| 'authentication'
	| 'permission'
	| 'notFound'
	| 'request'
	| 'rateLimit'
	| 'gateway'
	| 'unreachable'
	| 'interrupted'
	| 'address'
	| 'answer'
	| 'download'
	| 'storage'
	| 'task'
	| 'spendingLimit'
	| 'cancelled';

export interface FailureFacts {
	status?: number;
	/** `error.code` of the gateway's response (interface, 2.11). */
	code?: string;
	/** `error.type` of the gateway's response. */
	type?: string;
	/** `error.message` of the gateway's response. */
	gatewayMessage?: string;
	requestId?: string;
	attempts?: number;
	/** Whether the gateway may have carried the request out (and charged for it). */
	mayHaveBeenCarriedOut?: boolean;
	/** Id of an asynchronous task that was already submitted. */
	taskId?: string;
	/** What was received before the response was cut off, or other results that must not be lost. */
	partial?: IDataObject;
}

export type PlainFailure = Pick<GatewayFailure, 'kind' | 'message' | 'description' | 'facts'>;

/** The only class for failures between an item and the gateway: what happened, and what to do next. */
export class GatewayFailure extends Error {
	override readonly name = 'GatewayFailure';
	readonly description: string;

	constructor(
		readonly kind: FailureKind,
		message: string,
		description: string,
		readonly facts: FailureFacts = {},
		/** What it says about one attempt of a request. Without it, nothing is tried again. */
		readonly outcome?: Outcome,
	) {
		super(cut(message));
		this.description = cut(description);
	}

	/** The same failure with more facts. */
	with(facts: FailureFacts): GatewayFailure {
		return this.saying({}, facts);
	}

	/** The same failure in other words, with more facts. */
	saying(
		{ message = this.message, description = this.description }: { message?: string; description?: string },
		facts: FailureFacts = {},
	): GatewayFailure {
		return new GatewayFailure(this.kind, message, description, { ...this.facts, ...facts }, this.outcome);
	}

	/** The same failure with more advice, and more facts. */
	advising(more: string, facts?: FailureFacts): GatewayFailure {
		return this.saying({ description: `${this.description} ${more}` }, facts);
	}

	/** The same failure as what one attempt of a request ended with. */
	after(outcome: Outcome | undefined): GatewayFailure {
		return new GatewayFailure(this.kind, this.message, this.description, this.facts, outcome);
	}

	/** Whether the request was answered, and so paid for, but with something that cannot be used. */
	get isUnusableAnswer(): boolean {
		return this.kind === 'answer' || (this.kind === 'address' && this.facts.status === 200);
	}

	/** Whether the gateway may have charged for the request. */
	get mayBeCharged(): boolean {
		const isPaid = this.isUnusableAnswer || this.kind === 'storage';
		return isPaid || this.facts.mayHaveBeenCarriedOut === true;
	}

	/** The failure as plain data, which n8n can save. */
	toPlain(): PlainFailure {
		const { kind, message, description, facts } = this;
		return { kind, message, description, facts: { ...facts } };
	}

	static fromPlain({ kind, message, description, facts }: PlainFailure): GatewayFailure {
		return new GatewayFailure(kind, message, description, facts);
	}

	/** The item for a node that continues on failure, without unknown facts. n8n sends this shape to the error output. */
	toErrorItem(): { error: string; details: IDataObject } {
		const { partial } = this.facts;
		const details = withoutGaps({
			kind: this.kind,
			description: `${this.description}${this.isUnsent ? ' Nothing was sent.' : ''}`,
			...this.facts,
			partial: partial && withoutGaps(partial),
		});
		return { error: this.message, details };
	}

	/** The failure as n8n shows it on the node. */
	toNodeApiError(node: INode, rows: Rows): NodeApiError {
		const message = `${this.message}${rowsInWords(rows)}`;
		const unsent = rows.indexes.length < rows.of ? ' Nothing was sent for this row.' : ' Nothing was sent.';
		const description = `${this.description}${this.isUnsent ? unsent : ''}`;
		return this.asNodeError(node, message, description, { itemIndex: rows.indexes[0] });
	}

	/** Whether a parameter was wrong before anything was sent, and so paid for. */
	private get isUnsent(): boolean {
		const { attempts, partial } = this.facts;
		return this.kind === 'input' && attempts === 0 && partial === undefined;
	}

	/** The failure of a sub-node, which n8n shows on that node and on the one that uses it. */
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

/** The words of a gateway or of an item in a message may have any length. */
const MAX_LENGTH = 2_000;

function cut(text: string): string {
	return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/**
 * Anything thrown, as a failure. Of other errors only the message is kept: those of the request helper contain the
 * key.
 */
export function toFailure(thrown: unknown): GatewayFailure {
	if (thrown instanceof GatewayFailure) return thrown;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return new GatewayFailure('input', message, thrown instanceof Error ? adviceIn(thrown) : '');
}

function adviceIn(error: Error & { description?: unknown; context?: unknown }): string {
	const description = textOr(error.description);
	if (description !== '' || error.name !== 'ExpressionError') return description;
	const node = textOr(asRecord(error.context)?.nodeCause);
	const what = node === '' ? 'cannot be evaluated' : `refers to the node "${node}"`;
	return `An expression in a parameter of this node ${what}. Open the node, and correct the expression that is marked in red.`;
}
