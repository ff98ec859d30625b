import { answerFailure } from '../failure/words';
import { asRecord, isEmpty, numberOf, timeOf, withoutFields } from '../plain/values';
import { LIST_ENTRIES } from '../plain/budgets';

/** Reads the fields of an answer that nothing depends on. What cannot be read is left out and noted. */
export class OptionalFields {
	/** The names of fields that are not empty, but could not be read. */
	readonly leftOut: string[] = [];

	/** Returns text, or a number as text; undefined for none. */
	text(value: unknown, name: string): string | undefined {
		if (typeof value === 'string') return value === '' ? undefined : value;
		return typeof value === 'number' ? String(value) : this.none(value, name);
	}

	count(value: unknown, name: string): number | undefined {
		return numberOf(value) ?? this.none(value, name);
	}

	/** Reads the cost in the usage of an answer. Some gateways split it into parts with a total, or name its currency. */
	cost({ cost }: Record<string, unknown>): number | undefined {
		const parts = asRecord(cost);
		return this.count(parts ? (parts.total_cost ?? parts.usd) : cost, 'usage.cost');
	}

	flag(value: unknown, name: string): boolean | undefined {
		return typeof value === 'boolean' ? value : this.none(value, name);
	}

	time(value: unknown, name: string): string | undefined {
		return timeOf(value) ?? (value === 0 || value === '0' ? undefined : this.none(value, name));
	}

	/** Returns an object; an empty one if there is none. */
	record(value: unknown, name: string): Record<string, unknown> {
		return asRecord(value) ?? this.none(value, name) ?? {};
	}

	/** Returns the readable entries of a list. @throws GatewayFailure if there is no list, or none of its entries is */
	list<T>(
		value: unknown,
		name: string,
		read: (entry: unknown, name: string) => T | undefined,
		most = LIST_ENTRIES,
	): T[] {
		if (!Array.isArray(value)) throw answerFailure(`the field "${name}" is missing, or is not a list`);
		if (value.length > most) throw answerFailure(`the field "${name}" has more than ${most} entries`);
		const entries = value.map((entry, index) => read(entry, `${name}.${index}`));
		const readable = entries.filter((entry) => entry !== undefined);
		if (value.length > 0 && readable.length === 0)
			throw answerFailure(`the field "${name}.0" cannot be read`);
		for (const [index, entry] of entries.entries()) {
			if (entry === undefined) this.leftOut.push(`${name}.${index}`);
		}
		return readable;
	}

	get hint(): string | undefined {
		if (this.leftOut.length === 0) return undefined;
		const names = [...new Set(this.leftOut)];
		const shown = names.slice(0, MAX_NAMES).join(', ');
		const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
		return `Parts of the gateway's response could not be read and were left out: ${shown}${more}`;
	}

	private none(value: unknown, name: string): undefined {
		if (!isEmpty(value)) this.leftOut.push(name);
		return undefined;
	}
}

const MAX_NAMES = 5;

/** Objects around a result: of MiniMax, Cloudflare Workers AI, DashScope, Cohere, and Gemini. */
const WRAPPERS = ['data', 'result', 'output', 'embeddings', 'embedding'];

interface FoundList {
	value: unknown[];
	/** The path of the list in the answer, with dots. */
	name: string;
	/** Returns the answer with only these entries in the list, and without the list if there are none. */
	restWith(entries: unknown[]): Record<string, unknown>;
}

/** Finds the list under the first of these names, at the top or in a usual wrapper; the body itself may be the list. */
export function underUsualName(body: unknown, names: string[]): FoundList | undefined {
	const fields = Array.isArray(body) ? { [names[0]]: body as unknown[] } : (asRecord(body) ?? {});
	const name = names.find((one) => Array.isArray(fields[one]));
	if (name !== undefined) {
		const value = fields[name] as unknown[];
		return { value, name, restWith: (entries) => replaced(fields, name, entries) };
	}
	for (const wrapper of WRAPPERS) {
		const inner = asRecord(fields[wrapper]);
		const found = inner && underUsualName(inner, names);
		if (!found) continue;
		const restWith = (entries: unknown[]) => replaced(fields, wrapper, found.restWith(entries));
		return { value: found.value, name: `${wrapper}.${found.name}`, restWith };
	}
	return undefined;
}

/** Replaces the value of a field, or removes the field if the value is empty. */
function replaced(fields: Record<string, unknown>, name: string, value: object): Record<string, unknown> {
	return isEmpty(value) ? withoutFields(fields, [name]) : { ...fields, [name]: value };
}
