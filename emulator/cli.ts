import { parseArgs } from 'node:util';
import { type Emulator, startEmulator } from './index';

const usage = `Starts a local gateway that answers like the real one, with made-up content.

Usage: npm run emulator -- [options]

  --port <number>     port to listen on (default 4010; 0 takes a free one)
  --host <address>    address to listen on (default 127.0.0.1)
  --key <text>        API key that clients must send (default emulator-key)
  --latency <ms>      time before each answer begins (default 0)
  --rpm <number>      requests per minute; surplus requests get a 429 (default: no limit)
  --help              this text
`;

/** A setting that cannot be used; the message is for the person at the terminal. */
class UsageFault extends Error {}

function numberOption(
	name: string,
	text: string | undefined,
	least: number,
	most: number,
): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
	throw new UsageFault(`--${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}

function readOptions(args: string[]) {
	const text = { type: 'string' } as const;
	try {
		const options = {
			port: text,
			host: text,
			key: text,
			latency: text,
			rpm: text,
			help: { type: 'boolean' },
		} as const;
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error));
	}
}

function listenFault(error: unknown, host: string, port: number): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	switch (code) {
		case 'EADDRINUSE':
			return `Port ${port} is taken by another program. Choose another one with --port, or --port 0 for a free one.`;
		case 'EACCES':
			return `Port ${port} may not be used by this account. Choose one above 1023 with --port.`;
		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND':
			return `This machine has no address ${host}. Leave out --host to use 127.0.0.1.`;
		default:
			return error instanceof Error ? error.message : String(error);
	}
}

function announce({ url, apiKey }: Emulator): void {
	console.log(`The emulator is running.

  Base URL   ${url}
  API key    ${apiKey}

In n8n, create a credential "Unified AI Gateway API" with this Base URL and API Key.
Requests that arrived:  curl ${url}/__emulator/journal
Limits and faults:      curl -X PUT ${url}/__emulator/behaviour -d '{"*": {"latencyMs": 500}}'
Music tasks:            curl ${url}/__emulator/music
Let them finish:        curl -X POST ${url}/__emulator/music/advance -d '{"ms": 60000}'

Press Ctrl-C to stop.`);
}

async function main(args: string[]): Promise<void> {
	const values = readOptions(args);
	if (values.help) return console.log(usage);
	const host = values.host ?? '127.0.0.1';
	const port = numberOption('port', values.port, 0, 65_535) ?? 4010;
	const latencyMs = numberOption('latency', values.latency, 0, 600_000);
	const requestsPerMinute = numberOption('rpm', values.rpm, 1, 1_000_000);
	if (values.key === '') throw new UsageFault('--key takes a text.');

	let emulator: Emulator;
	try {
		emulator = await startEmulator({ host, port, apiKey: values.key, latencyMs, requestsPerMinute });
	} catch (error) {
		throw new UsageFault(listenFault(error, host, port));
	}
	announce(emulator);
	// Without an exit of its own the process ends once nothing is open any more.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
}

main(process.argv.slice(2)).catch((error: unknown) => {
	if (!(error instanceof UsageFault)) throw error;
	console.error(error.message);
	process.exitCode = 1;
});
