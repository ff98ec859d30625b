import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import type { Emulator, Rule } from '../../../emulator';
import type { ErrorItem } from '../../../nodes/shared/errors/gatewayFailure';
import {
	oneNode,
	runWorkflow,
	type RunOptions,
	type RunResult,
	type WorkflowJson,
} from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { operationCases, type OperationCase } from '../faults/operations';
import { titleOf } from '../faults/operationCase';

/** An operation that is paid for, without its waits and downloads. */
export interface PaidOperation extends OperationCase {
	title: string;
	/** How the emulator answers. */
	rule?: Rule;
	/** Whether the gateway refuses to carry out the same request again: it knows each voice by its name. */
	once?: boolean;
}

const PAID_NODES = ['chat', 'embed', 'image', 'rerank', 'speech'];

function isPaid({ node, operation, variant }: OperationCase): boolean {
	if (variant === 'faults in the download') return false;
	if (node === 'music') return variant === 'only submitting';
	if (node === 'voiceModel') return operation === 'create';
	return PAID_NODES.includes(node) && operation !== 'getManyVoices';
}

/** Every operation that is paid for. */
export const paidOperations: PaidOperation[] = operationCases.filter(isPaid).flatMap((operation) => {
	const title = `${operation.node}: ${titleOf(operation)}`;
	if (operation.node !== 'image') return [{ ...operation, title, once: operation.node === 'voiceModel' }];
	return [
		{ ...operation, title },
		{ ...operation, title: `${title}, without a link`, rule: { images: { answerAs: 'b64_json' } } },
	];
});

/** The paid operation whose title begins so. */
export function paidOperation(start: string): PaidOperation {
	const found = paidOperations.find(({ title }) => title.startsWith(start));
	if (!found) throw new Error(`No paid operation begins with "${start}".`);
	return found;
}

/** How a run differs from an ordinary one. */
export interface UnclearRunSettings extends Partial<Omit<RunOptions, 'credential'>> {
	/** What the gateway does wrong, in this order. */
	faults?: NonNullable<Rule['faults']>;
	/** Options of the node. */
	options?: IDataObject;
	/** Settings of the node in n8n, such as Retry On Fail. */
	settings?: Partial<INode>;
	credential?: Record<string, string>;
}

/** Minutes in real time, so that only faults meet a time limit. */
const PATIENCE_SECONDS = 3_000;

let lastRate = 6e7;
let lastGateway = 0;

/** A gateway with the runs of an operation that use it. */
export class UnclearRun {
	workflow: WorkflowJson | undefined;
	credential: ICredentialDataDecryptedObject = {};

	private constructor(readonly emulator: Emulator) {}

	static async of(idempotencyHeader?: string): Promise<UnclearRun> {
		// Runs at the same time are watched for each other's keys.
		const apiKey = `canary-key-unclear-${(lastGateway += 1)}-0123456789`;
		return new UnclearRun(await startStrictEmulator({ apiKey, idempotencyHeader }));
	}

	/** Runs an operation once. */
	async start(
		{ node, operation, parameters, input, rule }: PaidOperation,
		{ faults = [], options, settings, credential, ...others }: UnclearRunSettings = {},
	): Promise<RunResult> {
		const { behaviour, journal, url: baseUrl, apiKey } = this.emulator;
		behaviour.reset();
		journal.clear();
		behaviour.set('POST /*', { ...rule, faults });
		const own = (parameters.options ?? {}) as object;
		const all = { ...own, timeoutSeconds: PATIENCE_SECONDS, ...options };
		this.workflow = oneNode(node, { operation, ...parameters, options: all }, settings);
		// The learned rate of a credential is kept, so each run uses another one.
		this.credential = { baseUrl, apiKey, requestsPerMinute: (lastRate += 1), ...credential };
		return await runWorkflow(this.workflow, {
			credential: this.credential,
			input: input?.(this.emulator),
			...others,
		});
	}

	/** How often each different POST arrived, most often first. */
	get posts(): number[] {
		const counts = new Map<string, number>();
		for (const { path, body } of this.emulator.journal.entries((entry) => entry.method === 'POST')) {
			const content = JSON.stringify([path, body]);
			counts.set(content, (counts.get(content) ?? 0) + 1);
		}
		return [...counts.values()].sort((one, other) => other - one);
	}

	/** How often the gateway has carried a POST out. */
	get payments(): number {
		return this.emulator.journal.count((entry) => entry.method === 'POST' && entry.carriedOut);
	}
}

/** The details of the failure of a run, whether it stopped the run or became an item. */
export function detailsOf(result: RunResult): IDataObject | undefined {
	return (result.error?.context.details as IDataObject | undefined) ?? failedItem(result)?.details;
}

/** Sentences for the person who looks at the editor. */
export function wordsOf(result: RunResult): string {
	const { message = failedItem(result)?.error, description = detailsOf(result)?.description } =
		result.error ?? {};
	return `${message} ${description as string}`;
}

function failedItem({ outputs }: RunResult): ErrorItem | undefined {
	const failed = outputs.flat().find(({ json }) => 'error' in json && 'details' in json);
	return failed?.json as ErrorItem | undefined;
}
