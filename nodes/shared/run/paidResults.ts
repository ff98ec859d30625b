import type { IDataObject } from 'n8n-workflow';
import type { PlainFailure } from '../failure/failure';
import { approximateLength } from '../plain/values';

/** The maximum size of what a run keeps for a retry, in characters of JSON. */
export const MAX_KEPT_LENGTH = 50_000_000;

/** The record of one paid request. It is plain data, because n8n saves it with the execution. */
interface PaidRecord {
	value?: unknown;
	idempotencyKey?: string;
	/** The failure of a request that is or may be paid for, and its execution. */
	failed?: { executionId: string | undefined; failure: PlainFailure };
}

const CONTEXT_ENTRY = 'paidResults';

export interface PaidResultsSettings {
	/** The index of the node's run: every pass of a loop has its own. */
	runIndex: number;
	/** True if the user wants everything anew, so that no try reuses the results of an earlier one. */
	startsAnew?: boolean;
	maxLength?: number;
}

/** Keeps what a run has paid for, in the node's execution context, which n8n saves with a failed execution. */
export class PaidResults {
	/** The items whose results did not fit. */
	readonly leftOut = new Set<number>();
	private readonly records: Record<string, PaidRecord>;
	private length = 0;

	constructor(
		private readonly context: IDataObject = {},
		readonly settings?: PaidResultsSettings,
	) {
		const { runIndex = 0, startsAnew } = settings ?? {};
		const earlier = context[CONTEXT_ENTRY] as unknown as SavedResults | undefined;
		const saved = earlier?.runIndex === runIndex ? earlier : { runIndex, records: {} };
		context[CONTEXT_ENTRY] = saved;
		this.records = saved.records;
		for (const [key, record] of Object.entries(this.records)) {
			if (startsAnew && 'value' in record) delete this.records[key];
			else this.length += lengthOfValue(record);
		}
	}

	/** Tells whether an earlier try has left paid results in the context of a node. */
	static areIn(context: IDataObject): boolean {
		return CONTEXT_ENTRY in context;
	}

	record(key: string): PaidRecord {
		return this.records[key] ?? {};
	}

	/** Notes how a request failed, instead of a result. */
	note(key: string, facts: Pick<PaidRecord, 'idempotencyKey' | 'failed'>): void {
		this.forget(key);
		this.records[key] = facts;
	}

	/** Keeps a result; if it does not fit, keeps the idempotency key, with which the gateway may return it again. */
	keep(key: string, value: unknown, items: number[], idempotencyKey?: string): void {
		this.forget(key);
		if (!this.settings) return;
		const length = approximateLength(value);
		if (this.length + length > (this.settings.maxLength ?? MAX_KEPT_LENGTH)) {
			if (!this.settings.startsAnew) for (const item of items) this.leftOut.add(item);
			if (idempotencyKey !== undefined) this.records[key] = { idempotencyKey };
			return;
		}
		this.length += length;
		this.records[key] = { value };
	}

	forget(key: string): void {
		this.length -= lengthOfValue(this.record(key));
		delete this.records[key];
	}

	clear(): void {
		delete this.context[CONTEXT_ENTRY];
	}
}

interface SavedResults {
	runIndex: number;
	records: Record<string, PaidRecord>;
}

function lengthOfValue(record: PaidRecord): number {
	return 'value' in record ? approximateLength(record.value) : 0;
}
