import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeType, IRun } from 'n8n-workflow';
import { executionContext, startAt } from '../../tools/engine/execution';
import { config, Container, core, loadNode, workflow } from './host';
import { packageFolder } from '../paths';
import { loopNode } from './loop';
import { settleMemory, watchMemory } from './memory';
import type { Outcome, Task } from './messages';
import { createRequire } from 'node:module';
import path from 'node:path';

const { UnifiedAiGatewayApi } = createRequire(__filename)(
	path.join(packageFolder, 'dist/credentials/UnifiedAiGatewayApi.credentials.js'),
) as {
	UnifiedAiGatewayApi: new () => {
		authenticate(
			credential: ICredentialDataDecryptedObject,
			request: IHttpRequestOptions,
		): Promise<IHttpRequestOptions>;
		properties: Array<{ name: string; default: unknown }>;
	};
};
type ExpressionEngine = Parameters<typeof workflow.Expression.initExpressionEngine>[0];
interface ServerConfig {
	expressionEngine: ExpressionEngine;
}

const ourCredential = new UnifiedAiGatewayApi();
const defaults = Object.fromEntries(ourCredential.properties.map((field) => [field.name, field.default]));

class Credentials extends workflow.ICredentialsHelper {
	constructor(private readonly byType: Task['credentials']) {
		super();
	}
	override getParentTypes = () => [];
	override isCredentialUsableByNode = () => true;
	override preAuthentication = async () => undefined;
	override runPreAuthentication = async () => undefined;
	override getCredentials = async () =>
		await Promise.reject(new Error('The credentials are already decrypted'));
	override updateCredentials = async () => {};
	override updateCredentialsOauthTokenData = async () => {};
	override getCredentialsProperties = () => ourCredential.properties as never;
	override getDecrypted = async (_data: unknown, _node: unknown, type: string) =>
		({ ...defaults, ...this.byType[type] }) as ICredentialDataDecryptedObject;
	override authenticate = async (
		credential: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	) => {
		if (type === 'unifiedAiGatewayApi') return await ourCredential.authenticate(credential, request);
		const authorization = `Bearer ${credential.apiKey as string}`;
		// Some nodes have no parameter for a field that the gateway requires.
		const body = credential.extraBody
			? { ...(request.body as object), ...(credential.extraBody as object) }
			: request.body;
		return { ...request, body, headers: { ...request.headers, authorization } };
	};
}

const nodes = new Map<string, INodeType>([['bench.loop', loopNode]]);

/** Prepares the engine. Must be called once. Expressions are evaluated in an isolate, as on a server. */
export async function initialise(): Promise<void> {
	const { expressionEngine } = Container.get<ServerConfig>(config.GlobalConfig);
	await workflow.Expression.initExpressionEngine(expressionEngine);
	Container.get<{ mode: string }>(core.BinaryDataConfig).mode = 'filesystem';
	await Container.get<{ init(): Promise<void> }>(core.BinaryDataService).init();
}

/** Runs a task in n8n's engine and measures it. */
export async function run({ node, items, credentials }: Task): Promise<Outcome> {
	if (!nodes.has(node.type)) nodes.set(node.type, loadNode(node.type));
	const { Workflow, NodeHelpers, createRunExecutionData } = workflow;
	const flow = new Workflow({
		id: 'bench',
		name: 'bench',
		nodes: [node],
		connections: {},
		active: false,
		settings: { executionOrder: 'v1' },
		nodeTypes: {
			getByName: (type) => nodes.get(type)!,
			getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(nodes.get(type)!, version),
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = {
		...executionContext('bench'),
		credentialsHelper: new Credentials(credentials),
		hooks: new core.ExecutionLifecycleHooks('manual', 'bench', flow as never),
	};
	const inputs = items.map((json) => ({ json }));
	const runData = createRunExecutionData(startAt(node, inputs));
	await settleMemory();
	// Memory is watched only in jobs that measure it, because watching takes time.
	const watch = process.env.WATCHES_MEMORY ? watchMemory() : () => 0;
	const startedAt = performance.now();
	const processor = process.cpuUsage();
	const result = await new core.WorkflowExecute(
		additionalData as never,
		'manual',
		runData,
	).processRunExecutionData(flow);
	const tookMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(processor);
	return { tookMs, processorMs: (user + system) / 1000, peakBytes: watch(), ...summarise(result, node.name) };
}

function summarise(result: IRun, name: string): Pick<Outcome, 'succeeded' | 'fileBytes' | 'stopped'> {
	const { runData, error } = result.data.resultData;
	const items = runData[name]?.at(-1)?.data?.main?.[0] ?? [];
	const failed = items.filter(({ json }) => json.error !== undefined);
	const files = items.flatMap(({ binary }) => Object.values(binary ?? {}));
	return {
		succeeded: items.length - failed.length,
		fileBytes: files.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
		stopped: error?.message ?? (failed.length > 0 ? JSON.stringify(failed[0].json.error) : undefined),
	};
}
