import path from 'node:path';

import { startEmulator } from '../../emulator';
import { onceLines, runningLines } from './closing';
import { DemoExamples } from './demoExamples';
import {
	credentialType,
	type ImportedExample,
	importExamples,
	prepareExample,
	readExamples,
	withEmulatorChoices,
} from './examples';
import { folders } from './folders';
import { installN8n } from './install';
import { installNodes, packNodes } from './pack';
import { openPort, requireFree } from './ports';
import { describeFailure, Problem } from './problem';
import { stopAllProcesses } from './processes';
import { formatDuration, step } from './progress';
import { N8nRest } from './rest';
import { type N8nServer, startN8n } from './server';
import { type GatewayAccess, readSettings, type Settings, usage } from './settings';
import { clearRunning, readOwner, requireNoRunningDemo } from './state';

const credentialName = 'Unified AI Gateway (demo)';
const n8nLog = path.join(folders.logs, 'n8n.log');

/** The functions that stop what was started, in the order in which it was started. */
const stoppers: Array<() => Promise<unknown>> = [stopAllProcesses];
let stopping: Promise<void> | undefined;
/** True if something is running that takes time to stop. */
let hasStarted = false;
/** True if the demo can be used. */
let isUp = false;

const WELCOME = `Unified AI Gateway nodes: the demo
It starts n8n, and runs the examples, which takes about a minute. The first start takes 4 to 6 minutes, because it also
installs n8n (2.5 GB in npm's cache, for all clones) and builds the nodes.`;

void main();

async function main(): Promise<void> {
	const startedAt = Date.now();
	// The terminal sends its signal to all processes, and npm and tsx pass it on, so it may arrive more than once.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopOnSignal());
	try {
		const settings = readSettings(process.argv.slice(2), process.env);
		if (!settings) return print(usage);
		const { tally } = await runDemo(settings, startedAt);
		if (!settings.once || stopping) return;
		await stop();
		const [output, log] = [folders.output, n8nLog].map(fromHere);
		print(`\n${onceLines(tally, output, log, !settings.gateway, Date.now() - startedAt)}`);
		process.exit(tally.failed.length === 0 ? 0 : 1);
	} catch (failure) {
		await fail(failure);
	}
}

/** Starts everything and runs the examples. */
async function runDemo(settings: Settings, startedAt: number): Promise<DemoExamples> {
	print(`${WELCOME}\n`);
	await requireNoRunningDemo();
	stoppers.push(clearRunning);
	const editor = await openPort(
		{ preferred: 5678, chosen: settings.port, flag: '--port', purpose: "n8n's editor" },
		requireFree,
		tell,
	);
	const gateway = settings.gateway ?? (await openEmulator(settings.emulatorPort));
	// With --once, the emulator will be gone when somebody reads the line.
	if (settings.gateway || !settings.once) tell(`Gateway … ${gateway.baseUrl}`);

	// The installation waits for the network and the disk, and the build needs a core, so they run at the same time.
	const [installation, nodes] = await Promise.all([installN8n(), packNodes()]);
	await installNodes(nodes, folders.user);
	hasStarted = true;
	const server = await step(`Starting n8n ${installation.version}`, () =>
		startN8n({ installation, port: editor.port, userFolder: folders.user, logFile: n8nLog }),
	);
	stoppers.push(() => server.stop());

	const rest = new N8nRest(server.url, installation);
	const examples = new DemoExamples(rest, settings.once);
	stoppers.push(() => examples.interrupt());
	const work = async () => {
		const imported = await step('Setting up account, credential and workflows', () =>
			setUp(rest, gateway, settings),
		);
		await runExamples(examples, imported, settings, startedAt);
	};
	const ended = failWhenEnded(server);
	await Promise.race([work(), ended]);
	ended.catch(fail);
	return examples;
}

async function openEmulator(chosen: number | undefined): Promise<GatewayAccess> {
	const emulator = await openPort(
		{ preferred: 4010, chosen, flag: '--emulator-port', purpose: 'the gateway emulator' },
		async (port) => {
			await requireFree(port);
			return await startEmulator({ host: '127.0.0.1', port });
		},
		tell,
	);
	stoppers.push(() => emulator.close());
	return { baseUrl: emulator.url, apiKey: emulator.apiKey };
}

/** @throws Problem when the gateway does not accept the credential */
async function setUp(
	rest: N8nRest,
	gateway: GatewayAccess,
	{ language, gateway: ownGateway }: Settings,
): Promise<ImportedExample[]> {
	await rest.signIn(await readOwner());
	const data = { baseUrl: gateway.baseUrl, apiKey: gateway.apiKey };
	const credential = await rest.saveCredential(credentialName, credentialType, data);
	const test = await rest.testCredential(credential, credentialType, data);
	if (test.status !== 'OK') {
		throw new Problem(
			`The gateway ${gateway.baseUrl} cannot be used: ${test.message}`,
			'Check GATEWAY_BASE_URL and GATEWAY_API_KEY.',
		);
	}
	const nodeTypes = await rest.nodeTypes();
	const examples = (await readExamples(language)).map((example) =>
		prepareExample(
			// The models of a real gateway are known only to the user.
			ownGateway ? example : withEmulatorChoices(example),
			credential,
			nodeTypes,
			gateway.baseUrl,
		),
	);
	return await importExamples(rest, examples, path.join(folders.user, 'examples.json'));
}

/** Runs the morning show, then the other examples. After the show, the demo can be used. */
async function runExamples(
	examples: DemoExamples,
	[first, ...others]: ImportedExample[],
	{ once, gateway }: Settings,
	startedAt: number,
): Promise<void> {
	const owner = await readOwner();
	const elapsed = () => Date.now() - startedAt;
	const show = await examples.runShow(first);
	if (!once) {
		isUp = true;
		const address = new URL(show.url).origin;
		print(`
Ready after ${formatDuration(elapsed())}: ${address}, sign in as ${owner.email} with ${owner.password}
The other examples:
`);
	}
	for (const example of others) await examples.run(example);
	if (!once) print(`\n${runningLines(examples.tally, show, owner, !gateway, elapsed())}`);
}

async function failWhenEnded(server: N8nServer): Promise<never> {
	await server.ended;
	throw new Problem('n8n exited unexpectedly.', `Check its log for the reason: ${server.logFile}`);
}

/** Stops everything, prints the failure and exits with code 1. */
async function fail(failure: unknown): Promise<void> {
	// Failures during shutdown are expected.
	if (stopping) return;
	await stop();
	process.stderr.write(`\n${describeFailure(failure)}\n`);
	process.exit(1);
}

/** Stops the demo and exits. If the demo can be used, Ctrl-C is the normal way to stop it, so the exit code is 0. */
async function stopOnSignal(): Promise<void> {
	if (stopping) return;
	print('');
	await stop();
	process.exit(isUp ? 0 : 130);
}

/** Stops everything, which may take some seconds for n8n. */
async function stop(): Promise<void> {
	await (hasStarted ? step('Stopping', shutDown) : shutDown());
}

/** Stops everything in reverse order. Repeated calls wait for the same shutdown. */
async function shutDown(): Promise<void> {
	stopping ??= (async () => {
		for (const stopOne of stoppers.reverse()) await stopOne();
	})();
	await stopping;
}

function fromHere(file: string): string {
	return path.relative(process.cwd(), file) || '.';
}

function tell(line: string): void {
	print(`  ${line}`);
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
