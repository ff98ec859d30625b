import path from 'node:path';
import { parseArgs } from 'node:util';

import { Problem } from './problem';

const project = path.resolve(__dirname, '../..');
const demo = path.join(project, 'demo');
const state = path.join(demo, '.state');

/** Where things are; all absolute. `state` and `output` are made by the demo and may be deleted at any time. */
export const folders = {
	project,
	/** n8n's private package: its `node_modules` is the installed n8n. */
	demo,
	examples: path.join(project, 'examples'),
	/** What the example workflows write. */
	output: path.join(demo, 'output'),
	state,
	logs: path.join(state, 'logs'),
	/** `N8N_USER_FOLDER` of the demo's n8n: its database, encryption key and community packages. */
	user: path.join(state, 'n8n'),
};

/** The address and key of a gateway that is not the emulator. */
export interface GatewayAccess {
	baseUrl: string;
	apiKey: string;
}

/** What the command line and the environment ask of the demo. */
export interface Settings {
	port: number;
	emulatorPort: number;
	/** Stop after the examples have run. */
	once: boolean;
	/** A real gateway; without it the emulator is started. */
	gateway?: GatewayAccess;
}

export const usage = `Usage: npm start -- [options]

  --once                 stop after the examples have run; exit code 0 only if all succeeded
  --port NUMBER          port of n8n's editor (5678)
  --emulator-port NUMBER port of the gateway emulator (4010)
  --help                 show this

  GATEWAY_BASE_URL and GATEWAY_API_KEY in the environment use a real gateway instead of the emulator.`;

/**
 * Reads the command line (without `node` and the script) and the environment.
 * Returns undefined when help was asked for.
 *
 * @throws Problem for an unknown option, a port that is none, or half of a gateway's address and key
 */
export function readSettings(
	commandLine: string[],
	environment: Record<string, string | undefined>,
): Settings | undefined {
	const options = parseOptions(commandLine);
	if (options.help) return undefined;
	return {
		port: readPort('--port', options.port),
		emulatorPort: readPort('--emulator-port', options['emulator-port']),
		once: options.once,
		gateway: readGateway(environment.GATEWAY_BASE_URL?.trim(), environment.GATEWAY_API_KEY?.trim()),
	};
}

function parseOptions(commandLine: string[]) {
	try {
		return parseArgs({
			args: commandLine,
			options: {
				once: { type: 'boolean', default: false },
				port: { type: 'string', default: '5678' },
				'emulator-port': { type: 'string', default: '4010' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (failure) {
		throw new Problem(failure instanceof Error ? failure.message : String(failure), usage);
	}
}

function readPort(flag: string, text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Problem(`${flag} ${text} is not a port.`, 'Give a whole number from 1 to 65535.');
}

function readGateway(baseUrl: string | undefined, apiKey: string | undefined): GatewayAccess | undefined {
	if (!baseUrl && !apiKey) return undefined;
	if (!baseUrl) {
		throw new Problem(
			'GATEWAY_API_KEY is set, but GATEWAY_BASE_URL is not.',
			'Set both to use a real gateway, or neither to use the emulator.',
		);
	}
	if (!apiKey) {
		throw new Problem(
			'GATEWAY_BASE_URL is set, but GATEWAY_API_KEY is not.',
			'Set GATEWAY_API_KEY to your key for that gateway, or unset both to use the emulator.',
		);
	}
	if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
		throw new Problem(
			`GATEWAY_BASE_URL is "${baseUrl}", which is not a web address.`,
			'It should look like https://gateway.example.com.',
		);
	}
	return { baseUrl, apiKey };
}
