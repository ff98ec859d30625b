import { Readable } from 'node:stream';
import { compileFunction } from 'node:vm';
import {
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../credentials/UnifiedAiGatewayApi.credentials';
import { inLists } from '../../tools/engine/inLists';
import { withDefaults } from '../integration/engine/nodeTypes';
import { textOf } from '../integration/paidOnce/rows';
import type { SimulatedClock } from './clock';
import { type Exchange, rowsIn } from './exchange';
import { ADDRESSES, IDEMPOTENCY_HEADER, type SimulatedGateway } from './gateway';
import { digestOf } from './items';
import type { Subject } from './subjects';
import type { World } from './world';

/** The output and the messages of one try of the node. */
export interface NodeTry {
	hints: string[];
	log: string[];
	output?: INodeExecutionData[];
	error?: Error & { context?: IDataObject; description?: string | null };
}

/** The circumstances of a try. */
export interface Place {
	clock: SimulatedClock;
	key: string;
	execution: number;
	tryNumber: number;
	/** Aborts when the execution is stopped. */
	signal: AbortSignal;
	/** The context of the node in this execution. */
	nodeContext: IDataObject;
	/** True for the last try, which is without faults and without limits of the user. */
	isFinal: boolean;
}

/** The prefix of an error in the log. */
export const ERROR = 'error: ';

/** n8n's binary store. */
class BinaryStore {
	/** Every file that was ever saved. */
	readonly files = new Map<string, Buffer>();
	private readonly deleted = new Set<string>();
	/** Answers of the current try whose file could not be saved; a node may save it in another way. */
	readonly unsaved = new Map<string, Exchange>();

	constructor(private readonly gateway: SimulatedGateway) {}

	async save(content: Buffer | Readable, fileName = 'file', mimeType = 'text/plain'): Promise<IBinaryData> {
		const chunks: Buffer[] = [];
		for await (const chunk of Buffer.isBuffer(content) ? [content] : content) chunks.push(chunk as Buffer);
		const bytes = Buffer.concat(chunks);
		const digest = digestOf(bytes);
		// The sound of another item may be the same.
		const isOf = (exchange?: Exchange) =>
			exchange && rowsIn(fileName).every((row) => exchange.rows.includes(row));
		const exchange = this.gateway.unsavable.get(digest);
		if (exchange && isOf(exchange)) {
			this.gateway.unsavable.delete(digest);
			if (exchange.stage === 'paid') exchange.standing = 'unusable';
			this.unsaved.set(digest, exchange);
			throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
		}
		const unsaved = this.unsaved.get(digest);
		if (unsaved && isOf(unsaved) && unsaved.standing === 'unusable') unsaved.standing = 'delivered';
		const id = `filesystem-v2:${this.files.size}`;
		this.files.set(id, bytes);
		return {
			id,
			data: 'filesystem-v2',
			fileName,
			mimeType,
			fileSize: `${bytes.length} B`,
			bytes: bytes.length,
		};
	}

	/** Deletes all files, as n8n does some time after an execution. */
	deleteAll(): void {
		for (const id of this.files.keys()) this.deleted.add(id);
	}

	has(id: string): boolean {
		return this.files.has(id) && !this.deleted.has(id);
	}

	/** Returns the content of a file. @throws Error when the file does not exist any more */
	read(id: string): Buffer {
		if (!this.has(id)) throw new Error(`ENOENT: no such file or directory, open ${id}`);
		return this.files.get(id)!;
	}
}

/** A tool that is connected to a node. */
const WEATHER = {
	name: 'weather',
	description: 'Tells the weather',
	schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
	invoke: async () => await Promise.resolve({ sky: 'clear' }),
};

const credentialType = new UnifiedAiGatewayApi();

/** Simulates n8n's side of a node in a world. */
export class SimulatedHost {
	readonly store: BinaryStore;
	private readonly texts: string[];
	private readonly parameters: IDataObject;
	private readonly finalParameters: IDataObject;

	constructor(
		private readonly world: World,
		private readonly subject: Subject,
		private readonly gateway: SimulatedGateway,
	) {
		this.store = new BinaryStore(gateway);
		this.texts = Array.from({ length: world.rows }, (_, row) => textOf(row));
		const { options, maxRequests, maxTokens, maxCost } = world;
		const limits = { maxRequests: maxRequests, maxTotalTokens: maxTokens, maxCost: maxCost };
		const isLimited = maxRequests + maxTokens + maxCost > 0;
		this.parameters = this.withDefaults({ ...options, ...(isLimited ? limits : {}) });
		const lasting = Object.entries(options).filter(([name]) => /^(parallelRequests|payAgain)$/.test(name));
		this.finalParameters = this.withDefaults(Object.fromEntries<number | boolean>(lasting));
	}

	/** Runs the node once and returns the outcome. Never rejects. */
	async tryOnce(place: Place): Promise<NodeTry> {
		const result: NodeTry = { hints: [], log: [] };
		this.store.unsaved.clear();
		try {
			const outputs = await this.subject.node.execute!.call(this.context(place, result));
			[result.output] = outputs as INodeExecutionData[][];
		} catch (error) {
			result.error = error as Error;
		}
		return result;
	}

	private withDefaults(options: INodeParameters): IDataObject {
		const { description } = this.subject.node;
		const given = { ...this.subject.parameters, options: { ...this.subject.options, ...options } };
		return withDefaults(description, inLists(description, given));
	}

	private context(place: Place, result: NodeTry): IExecuteFunctions {
		const { world, store } = this;
		const items = this.itemsOf(place);
		const { clock, signal, nodeContext } = place;
		const node: INode = {
			id: '1',
			name: 'Node',
			type: `n8n-nodes-unified-ai-gateway.${this.subject.node.description.name}`,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			retryOnFail: world.tries > 1,
			onError: world.continuesOnFail ? 'continueRegularOutput' : 'stopWorkflow',
		};
		const log = (message: string, data?: unknown) =>
			void result.log.push(data === undefined ? message : `${message} ${JSON.stringify(data)}`);
		return {
			getNode: () => node,
			getInputData: () => items,
			getExecutionId: () => String(place.execution),
			getContext: () => nodeContext,
			getTimezone: () => 'UTC',
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			continueOnFail: () => world.continuesOnFail,
			getExecutionCancelSignal: () => signal,
			getCredentials: async () => this.credential(place),
			getNodeParameter: (name: string, row: number, fallback: unknown, options: object) =>
				this.parameter(place, name, row, fallback, options),
			getInputConnectionData: async () => [WEATHER],
			getParentNodes: () => (this.subject.hasTool ? [{ name: 'Weather' }] : []),
			addExecutionHints: (...hints: Array<{ message: string }>) =>
				void result.hints.push(...hints.map(({ message }) => message)),
			logger: { warn: log, info: log, debug: log, error: (message: string) => log(`${ERROR}${message}`) },
			sendMessageToUI: log,
			isStreaming: () => false,
			helpers: this.helpers(place, store, clock),
		} as unknown as IExecuteFunctions;
	}

	/** Returns the input items of an execution. */
	private itemsOf({ execution }: Place): INodeExecutionData[] {
		const { editedFrom = Infinity } = this.world;
		const edited = (text: string, row: number) =>
			execution >= editedFrom && row % 3 === 0 ? text.replace('fox', 'hare') : text;
		return this.texts.map((text, row) => ({
			json: { text: edited(text, row) },
			...(this.subject.binary ? { binary: this.subject.binary } : {}),
		}));
	}

	private helpers(place: Place, store: BinaryStore, clock: SimulatedClock): object {
		const { gateway } = this;
		const alive = async <T>(work: () => T | Promise<T>): Promise<T> => {
			if (!clock.wasKilled) clock.onMoment();
			if (clock.wasKilled) return await new Promise<T>(() => undefined);
			return await work();
		};
		return {
			httpRequest: async (options: IHttpRequestOptions) =>
				await alive(async () => await gateway.respond(options, options.abortSignal as AbortSignal, place)),
			httpRequestWithAuthentication: {
				call: async (context: IExecuteFunctions, _type: string, options: IHttpRequestOptions) =>
					await alive(async () => {
						const authenticated = await credentialType.authenticate(this.credential(place), options);
						return await gateway.respond(authenticated, context.getExecutionCancelSignal(), place);
					}),
			},
			prepareBinaryData: async (content: Buffer | Readable, fileName?: string, mimeType?: string) =>
				await alive(async () => await store.save(content, fileName, mimeType)),
			assertBinaryData: (row: number, field: string) => this.itemsOf(place)[row].binary![field],
			getBinaryDataBuffer: async (row: number, field: string) =>
				Buffer.from(this.itemsOf(place)[row].binary![field].data, 'base64'),
			getBinaryStream: async (id: string) => await alive(() => Readable.from([store.read(id)])),
			getBinaryMetadata: async (id: string) => await alive(() => ({ fileSize: store.read(id).length })),
		};
	}

	private credential({ key }: Place): ICredentialDataDecryptedObject {
		const { hasSecondAddress, hasIdempotencyKeys } = this.world;
		return {
			baseUrl: ADDRESSES.first,
			apiKey: key,
			...(hasSecondAddress ? { alternateBaseUrl: ADDRESSES.second } : {}),
			...(hasIdempotencyKeys ? { idempotencyHeader: IDEMPOTENCY_HEADER } : {}),
		};
	}

	private parameter(place: Place, name: string, row: number, fallback: unknown, options: object): unknown {
		const raw = (place.isFinal ? this.finalParameters : this.parameters)[name];
		if (raw === undefined) return fallback;
		if ('rawExpressions' in options) return raw;
		return typeof raw === 'string' && raw.startsWith('=')
			? evaluated(raw, this.itemsOf(place)[row].json)
			: raw;
	}
}

type Code = ($json: IDataObject) => unknown;
const compiled = new Map<string, Code>();

/** Evaluates an expression that consists of one piece of code. */
function evaluated(expression: string, json: IDataObject): unknown {
	const source = `return ${expression.slice('={{'.length, -'}}'.length)}`;
	const code = compiled.get(expression) ?? (compileFunction(source, ['$json']) as Code);
	compiled.set(expression, code);
	return code(json);
}
