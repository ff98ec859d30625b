import { Readable } from 'node:stream';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	ISupplyDataFunctions,
	IWorkflowSettings,
	NodeApiError,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** An answer in the form in which n8n's request helper returns it. */
export interface FakeAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** The body. Anything other than text, bytes, or a stream becomes JSON. */
	body?: unknown;
}

export interface FakeSettings {
	/** The parameters by name; a function stands for an expression. */
	parameters?: Record<string, unknown>;
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	continueOnFail?: boolean;
	credential?: object;
	signal?: AbortSignal;
	/** Answers a request in place of the other side, or throws. */
	respond?: (options: IHttpRequestOptions) => FakeAnswer | Promise<FakeAnswer>;
	runIndex?: number;
	/** The node's context in the execution. */
	nodeContext?: IDataObject;
	/** The settings of the workflow. Without them, n8n is so old that a node cannot ask for them. */
	workflowSettings?: IWorkflowSettings;
	/** How the execution was started. */
	mode?: WorkflowExecuteMode;
}

/** Simulates n8n's side of a running node, and records what the node does. */
export class FakeContext {
	/** The messages of a long run in the log, and in the console of the browser. */
	readonly progress: string[] = [];
	readonly shown: string[] = [];
	readonly hints: Array<{ message: string; location?: string }> = [];
	readonly warnings: string[] = [];
	/** The faults of the package in the log. */
	readonly faults: string[] = [];
	/** The lines of the log about each attempt of a request. */
	readonly attempts: string[] = [];
	/** The requests, and whether they were sent with the credential. */
	readonly sent: Array<IHttpRequestOptions & { withKey: boolean }> = [];
	/** The parameters that the node has read, with their items. */
	readonly reads: Array<[string, number]> = [];
	readonly traces: unknown[] = [];
	readonly logged: Array<[string, unknown]> = [];
	readonly nodeContext: IDataObject;

	constructor(private readonly settings: FakeSettings = {}) {
		this.nodeContext = settings.nodeContext ?? {};
	}

	get node(): INode {
		const { node } = this.settings;
		return { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {}, ...node };
	}

	get execute(): IExecuteFunctions {
		const { settings, hints, warnings } = this;
		const items = settings.items ?? [{ json: {} }];
		return {
			getNode: () => this.node,
			getInputData: () => items,
			getExecutionId: () => '1',
			getMode: () => settings.mode ?? 'trigger',
			getWorkflowSettings: settings.workflowSettings && (() => settings.workflowSettings),
			getContext: (type: string) => (type === 'node' ? this.nodeContext : {}),
			getTimezone: () => 'UTC',
			getWorkflowDataProxy: () => ({ $runIndex: settings.runIndex ?? 0 }),
			continueOnFail: () => settings.continueOnFail === true,
			getExecutionCancelSignal: () => settings.signal,
			getCredentials: async () => ({
				baseUrl: 'https://gateway.example',
				apiKey: 'secret-key-123',
				...settings.credential,
			}),
			getNodeParameter: (name: string, itemIndex: number, fallback: unknown, options: object) =>
				this.parameter(name, itemIndex, fallback, options),
			addExecutionHints: (...added: typeof hints) => void hints.push(...added),
			logger: {
				error: (message: string) => void this.faults.push(message),
				warn: (message: string) => void warnings.push(message),
				info: (message: string) => void this.progress.push(message),
				debug: (message: string) => void this.attempts.push(message),
			},
			setMetadata: ({ tracing }: { tracing: object }) => void this.traces.push(tracing),
			sendMessageToUI: (message: string) => void this.shown.push(message),
			addInputData: (type: string, data: unknown) => {
				this.logged.push([`input of ${type}`, data]);
				return { index: this.logged.length };
			},
			addOutputData: (type: string, index: number, data: unknown, metadata?: { tracing: object }) => {
				this.logged.push([`output ${index} of ${type}`, data]);
				if (metadata) this.traces.push(metadata.tracing);
			},
			helpers: {
				httpRequest: async (options: IHttpRequestOptions) => await this.respond(options, false),
				httpRequestWithAuthentication: {
					call: async (_context: unknown, _type: string, options: IHttpRequestOptions) =>
						await this.respond(options, true),
				},
				getBinaryStream: async (id: string) => {
					if (id.startsWith('deleted')) throw new Error('File not found');
					return Readable.from([Buffer.from('file')]);
				},
			},
		} as unknown as IExecuteFunctions;
	}

	get supply(): ISupplyDataFunctions {
		return this.execute as unknown as ISupplyDataFunctions;
	}

	private parameter(name: string, itemIndex: number, fallback: unknown, options: object): unknown {
		const value = this.settings.parameters?.[name];
		if (value === undefined) return fallback;
		this.reads.push([name, itemIndex]);
		if (typeof value !== 'function') return value;
		return 'rawExpressions' in options ? '={{ $json }}' : (value as (index: number) => unknown)(itemIndex);
	}

	private async respond(options: IHttpRequestOptions, withKey: boolean) {
		this.sent.push({ ...options, body: await sentBody(options.body), withKey });
		const { status = 200, headers = {}, body = {} } = (await this.settings.respond?.(options)) ?? {};
		const content = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
		const stream = body instanceof Readable ? body : Readable.from([Buffer.from(content as string)]);
		return { statusCode: status, headers, body: stream };
	}
}

/** Returns a body as the node has it. The node sends a text as a stream where it needs to watch the request. */
async function sentBody(body: IHttpRequestOptions['body']): Promise<IHttpRequestOptions['body']> {
	if (!(body instanceof Readable) || !Object.hasOwn(body, 'pipe')) return body;
	const chunks: Buffer[] = [];
	for await (const chunk of body) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

export async function failureOf(work: Promise<unknown>): Promise<NodeApiError> {
	return await work.then(
		() => {
			throw new Error('It did not fail.');
		},
		(error: unknown) => error as NodeApiError,
	);
}
