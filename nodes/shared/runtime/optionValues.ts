import type { IDataObject } from 'n8n-workflow';
import { toText } from '../values';
import { toNumber, type ParameterDefinition } from './parameterReader';

/**
 * The values of an Options collection for one item. An option that was not added is undefined, empty, or false; the
 * methods with `OrDefault` return the default of its definition instead.
 */
export class OptionValues {
	constructor(private readonly values: IDataObject) {}

	value({ name }: ParameterDefinition): unknown {
		return this.values[name];
	}

	/** Text without surrounding white space; numbers from expressions become text. */
	text(definition: ParameterDefinition): string {
		const value = this.value(definition);
		return typeof value === 'object' ? '' : toText(value).trim();
	}

	textOrDefault(definition: ParameterDefinition): string {
		return this.text(definition) || toText(definition.default);
	}

	/** @throws GatewayFailure (kind `input`) when it is set and is not a number within the limits */
	number(definition: ParameterDefinition): number | undefined {
		const value = this.value(definition);
		if (value === undefined || value === null || value === '') return undefined;
		return toNumber(value, definition);
	}

	/** @throws GatewayFailure like {@link number} */
	numberOrDefault(definition: ParameterDefinition): number {
		return this.number(definition) ?? (definition.default as number);
	}

	flag(definition: ParameterDefinition): boolean {
		return this.value(definition) === true;
	}

	flagOrDefault(definition: ParameterDefinition): boolean {
		const value = this.value(definition);
		return typeof value === 'boolean' ? value : definition.default === true;
	}
}
