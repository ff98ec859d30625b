import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { startEmulator } from '../../emulator';
import {
	credentialType,
	type ImportedExample,
	importExamples,
	prepareExample,
	readExamples,
} from './examples';
import { folders } from './folders';
import { installN8n } from './install';
import { installNodes, packNodes } from './pack';
import { requireFreePort } from './ports';
import { describeFailure, Problem } from './problem';
import { stopAllProcesses } from './processes';
import { formatDuration, step } from './progress';
import { reportRun } from './report';
import { N8nRest } from './rest';
import { runExample } from './runExample';
import { type N8nServer, startN8n } from './server';
import { type GatewayAccess, readSettings, type Settings, usage } from './settings';
import { clearRunning, markRunning, readOwner, requireNoRunningDemo } from './state';

const credentialName = 'Unified AI Gateway (demo)';

/** Stops what was started, in the order in which it was started. */
const stoppers: Array<() => Promise<unknown>> = [stopAllProcesses];
let stopping: Promise<void> | undefined;
let isUp = false;

void main();

async function main(): Promise<void> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stopOnSignal());
	try {
		const settings = readSettings(process.argv.slice(2), process.env);
		if (!settings) return print(usage);
		const succeeded = await runDemo(settings);
		if (!settings.once) return;
		await shutDown();
		process.exit(succeeded ? 0 : 1);
	} catch (failure) {
		await fail(failure);
	}
}

/** Starts everything and runs the examples; returns whether all of them succeeded. */
async function runDemo(settings: Settings): Promise<boolean> {
	const startedAt = Date.now();
	print('Unified AI Gateway nodes: the demo\n');
	await requireNoRunningDemo();
	await requireFreePort(settings.port, '--port', "n8n's editor");
	if (!settings.gateway) {
		await requireFreePort(settings.emulatorPort, '--emulator-port', 'the gateway emulator');
	}

	const installation = await installN8n();
	const nodes = await packNodes();
	await installNodes(nodes, folders.user);
	const gateway = settings.gateway ?? (await openEmulator(settings.emulatorPort));
	await mkdir(folders.output, { recursive: true });
	const server = await step(`Starting n8n ${installation.version}`, () =>
		startN8n({
			installation,
			port: settings.port,
			userFolder: folders.user,
			outputFolder: folders.output,
			logFile: path.join(folders.logs, 'n8n.log'),
		}),
	);
	await markRunning({ url: server.url });
	stoppers.push(clearRunning, () => server.stop());

	const rest = new N8nRest(server.url, installation);
	const work = async () => {
		const examples = await step('Setting up account, credential and workflows', () => setUp(rest, gateway));
		return await runExamples(rest, examples);
	};
	const succeeded = await Promise.race([work(), failWhenEnded(server)]);
	if (!settings.once) await announce(server, gateway, startedAt);
	return succeeded;
}

async function openEmulator(port: number): Promise<GatewayAccess> {
	const emulator = await startEmulator({ host: '127.0.0.1', port });
	stoppers.push(() => emulator.close());
	print(`  Gateway emulator … ${emulator.url}`);
	return { baseUrl: emulator.url, apiKey: emulator.apiKey };
}

/** @throws Problem when the gateway does not accept the credential */
async function setUp(rest: N8nRest, gateway: GatewayAccess): Promise<ImportedExample[]> {
	await rest.signIn(await readOwner());
	const data = { baseUrl: gateway.baseUrl, apiKey: gateway.apiKey };
	const credential = await rest.saveCredential(credentialName, credentialType, data);
	const test = await rest.testCredential(credential, credentialType, data);
	if (test.status !== 'OK') {
		throw new Problem(
			`The gateway ${gateway.baseUrl} rejected the credential: ${test.message}`,
			'Check GATEWAY_BASE_URL and GATEWAY_API_KEY.',
		);
	}
	const nodeTypes = await rest.nodeTypes();
	const examples = (await readExamples(folders.examples)).map((example) =>
		prepareExample(example, credential, nodeTypes, folders.output),
	);
	return await importExamples(rest, examples, path.join(folders.user, 'examples.json'));
}

/** Runs the examples that start by themselves, one at a time; returns whether all of them succeeded. */
async function runExamples(rest: N8nRest, examples: ImportedExample[]): Promise<boolean> {
	let allSucceeded = true;
	for (const example of examples) {
		const { name, trigger } = example;
		if (trigger === undefined) {
			print(`  ${name} … ${await activate(rest, example)}`);
			continue;
		}
		const result = await step(`Running "${name}"`, () =>
			runExample(rest, { ...example, trigger }, folders.output),
		);
		print(reportRun(result, `${rest.url}/workflow/${example.workflowId}`));
		allSucceeded &&= result.succeeded;
	}
	return allSucceeded;
}

/** Activates an example that waits for external calls; returns a text that explains how to start it. */
async function activate(rest: N8nRest, { workflowId, webhookPath }: ImportedExample): Promise<string> {
	if (webhookPath === undefined) return 'starts in the editor';
	await rest.publish(workflowId);
	return `waits for calls at ${rest.url}/webhook/${webhookPath}`;
}

/** Prints the addresses, paths and sign-in; from now on, Ctrl-C is the normal way to stop. */
async function announce(server: N8nServer, gateway: GatewayAccess, startedAt: number): Promise<void> {
	const owner = await readOwner();
	isUp = true;
	print(`
Ready after ${formatDuration(Date.now() - startedAt)}.

  Editor    ${server.url}
  Sign in   ${owner.email}
  Password  ${owner.password}
  Gateway   ${gateway.baseUrl}
  Results   ${folders.output}
  n8n's log ${server.logFile}

Press Ctrl-C to stop.`);
	failWhenEnded(server).catch(fail);
}

async function failWhenEnded(server: N8nServer): Promise<never> {
	await server.ended;
	throw new Problem('n8n exited unexpectedly.', `Check its log for the reason: ${server.logFile}`);
}

/** Prints the failure, stops everything and exits with code 1. */
async function fail(failure: unknown): Promise<void> {
	// Failures during shutdown are expected.
	if (stopping) return;
	process.stderr.write(`\n${describeFailure(failure)}\n`);
	await shutDown();
	process.exit(1);
}

async function stopOnSignal(): Promise<void> {
	print('\nStopping …');
	await shutDown();
	process.exit(isUp ? 0 : 130);
}

/** Stops everything in reverse order; repeated calls wait for the same shutdown. */
async function shutDown(): Promise<void> {
	stopping ??= (async () => {
		for (const stop of stoppers.reverse()) await stop();
	})();
	await stopping;
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
