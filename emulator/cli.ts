import { parseArgs } from 'node:util';
import { type Emulator, startEmulator } from './index';
import { obstacleIn, type Opened, openNextPort, steppedOver } from './nextPort';

const defaultPort = 4010;

const usage = `Starts a local gateway that behaves like the real one, with made-up content.

Usage: npm run emulator -- [options]

  --port <number>     port to listen on (default 4010, or the next free one; 0 for any free port)
  --host <address>    address to listen on (default 127.0.0.1)
  --key <text>        API key that clients must send (default emulator-key)
  --v1-only           be a second address of the gateway, which has only the paths under /v1
  --latency <ms>      delay before each response, in milliseconds (default 0)
  --rpm <number>      requests per minute; further requests get a 429 (default: no limit)
  --news-hour <n>     hour in China at which the digests of a day are published (default 0)
  --help              show this help
`;

/** An invalid option or an unavailable address; the terminal shows the message without a stack trace. */
class UsageError extends Error {}

function numberOption(
	name: string,
	text: string | undefined,
	minimum: number,
	maximum: number,
): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (text.trim() !== '' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
	throw new UsageError(`--${name} must be a whole number from ${minimum} to ${maximum}, but is "${text}".`);
}

function readOptions(args: string[]) {
	const text = { type: 'string' } as const;
	try {
		const options = {
			port: text,
			host: text,
			key: text,
			'v1-only': { type: 'boolean' },
			latency: text,
			rpm: text,
			'news-hour': text,
			help: { type: 'boolean' },
		} as const;
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

function listenErrorMessage(error: unknown, host: string, port: number): string {
	const obstacle = obstacleIn(error);
	if (obstacle === 'in use')
		return `Port ${port} is already in use. Choose another port with --port, or use --port 0 for a free port.`;
	if (obstacle)
		return `You do not have permission to use port ${port}. Choose a port above 1023 with --port.`;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
		return `The address ${host} is not available on this machine. Omit --host to use 127.0.0.1.`;
	return error instanceof Error ? error.message : String(error);
}

function announce({ url, apiKey }: Emulator, v1Only: boolean): void {
	const field = v1Only ? 'Alternate Base URL' : 'Base URL';
	console.log(`The emulator is running${v1Only ? ' as a second address: it has only the paths under /v1' : ''}.

  ${field}   ${url}
  ${'API key'.padEnd(field.length)}   ${apiKey}

In n8n, create a credential "Unified AI Gateway API" with this ${field} and API Key.
Show all requests:      curl ${url}/__emulator/journal
Set limits and faults:  curl -X PUT ${url}/__emulator/behaviour -d '{"*": {"latencyMs": 500}}'
Show music tasks:       curl ${url}/__emulator/music
Finish music tasks:     curl -X POST ${url}/__emulator/music/advance -d '{"ms": 60000}'

Press Ctrl-C to stop.`);
}

async function main(args: string[]): Promise<void> {
	const values = readOptions(args);
	if (values.help) return console.log(usage);
	const host = values.host ?? '127.0.0.1';
	const chosenPort = numberOption('port', values.port, 0, 65_535);
	const latencyMs = numberOption('latency', values.latency, 0, 600_000);
	const requestsPerMinute = numberOption('rpm', values.rpm, 1, 1_000_000);
	const newsHour = numberOption('news-hour', values['news-hour'], 0, 24);
	const v1Only = values['v1-only'] === true;
	if (values.key === '') throw new UsageError('--key must not be empty.');

	const open = (port: number) =>
		startEmulator({ host, port, apiKey: values.key, v1Only, latencyMs, requestsPerMinute, newsHour });
	let opening: Opened<Emulator>;
	try {
		opening =
			chosenPort === undefined ? await openNextPort(defaultPort, open) : { opened: await open(chosenPort) };
	} catch (error) {
		throw new UsageError(listenErrorMessage(error, host, chosenPort ?? defaultPort));
	}
	const { opened: emulator, obstacle } = opening;
	if (obstacle) console.log(`${steppedOver(defaultPort, obstacle, 'the emulator', emulator.port)}\n`);
	announce(emulator, v1Only);
	// The process exits by itself once all connections are closed.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
}

main(process.argv.slice(2)).catch((error: unknown) => {
	if (!(error instanceof UsageError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
});
