import { parseArgs } from 'node:util';

import { type Language, languages } from './language';
import { Problem } from './problem';

/** The base URL and API key of a gateway. */
export interface GatewayAccess {
	baseUrl: string;
	apiKey: string;
}

/** The settings of `npm start`, from the command line and the environment. */
export interface Settings {
	/** The port of n8n's editor, if the user has chosen one. */
	port?: number;
	/** The port of the emulator, if the user has chosen one. */
	emulatorPort?: number;
	/** The language of the first example. */
	language: Language;
	/** True to stop after the examples have run. */
	once: boolean;
	/** A real gateway. If it is undefined, the emulator is started. */
	gateway?: GatewayAccess;
}

export const usage = `Usage: npm start -- [options]

  --once                  run the examples, then stop; the exit code is 0 only if all of them succeeded
  --language en|zh        language of the morning show, which runs first (default: en)
  --port NUMBER           port of n8n's editor (default: 5678, or the next free one)
  --emulator-port NUMBER  port of the gateway emulator (default: 4010, or the next free one)
  --help                  show this help

  A port that you choose is not replaced: if it is in use, the demo does not start.

  To use a real gateway instead of the emulator, set GATEWAY_BASE_URL and GATEWAY_API_KEY in the environment.`;

/**
 * Reads the settings from the command line (without `node` and the script) and the environment.
 *
 * @throws Problem for an unknown option, an invalid port or base URL, an unknown language, or a base URL or key without
 *   the other
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
		language: readLanguage(options.language),
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
				language: { type: 'string', default: 'en' },
				port: { type: 'string' },
				'emulator-port': { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (failure) {
		throw new Problem(failure instanceof Error ? failure.message : String(failure), usage);
	}
}

function readLanguage(text: string): Language {
	const language = languages.find((known) => known === text);
	if (language) return language;
	throw new Problem(`--language ${text} is not a language of the demo.`, `Enter ${languages.join(' or ')}.`);
}

function readPort(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Problem(`${flag} ${text} is not a valid port.`, 'Enter a whole number from 1 to 65535.');
}

function readGateway(baseUrl: string | undefined, apiKey: string | undefined): GatewayAccess | undefined {
	if (!baseUrl && !apiKey) return undefined;
	if (!baseUrl || !apiKey) {
		throw new Problem(
			baseUrl
				? 'GATEWAY_BASE_URL is set, but GATEWAY_API_KEY is not.'
				: 'GATEWAY_API_KEY is set, but GATEWAY_BASE_URL is not.',
			'Set both to use a real gateway, or neither to use the emulator.',
		);
	}
	if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
		throw new Problem(
			`GATEWAY_BASE_URL is "${baseUrl}", which is not a valid web address.`,
			'Enter an address such as https://gateway.example.com.',
		);
	}
	return { baseUrl, apiKey };
}
