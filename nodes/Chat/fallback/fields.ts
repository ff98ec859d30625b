import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { modelField } from '../../shared/fields/picker';
import type { Call } from '../../shared/run/call';
import { entriesOf } from '../../shared/run/parameterReader';
import { asRecord, isBlank, toText } from '../../shared/plain/values';

const MOST = 3;

const MODEL: INodeProperties = {
	...modelField('', 'e.g. chat-small'),
	description: 'Model to ask if those before it are not available',
	// The hint of the first model says where IDs come from.
	builderHint: undefined,
};

export const FALLBACK_MODELS: INodeProperties = {
	displayName: 'Fallback Models',
	name: 'fallbackModels',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true, maxAllowedFields: MOST },
	placeholder: 'Add model',
	default: {},
	description: 'Up to three models to ask instead if the model is not available',
	options: [{ displayName: 'Model', name: 'model', values: [MODEL] }],
};

/**
 * The models of the option Fallback Models, in order.
 *
 * @throws GatewayFailure (kind `input`) for an entry without a model, or more than three
 */
export function readFallbackModels(call: Call): string[] {
	const entries = entriesOf(call.options.value(FALLBACK_MODELS), FALLBACK_MODELS);
	if (entries.length > MOST) {
		throw inputFailure(FALLBACK_MODELS, `has ${entries.length} models`, `Remove all but ${MOST} of them.`);
	}
	return entries.map((entry, index) => {
		const value = entry[MODEL.name];
		const model = toText(asRecord(value)?.value ?? (asRecord(value) ? '' : value)).trim();
		if (!isBlank(model)) return model;
		throw inputFailure(
			`${FALLBACK_MODELS.displayName} (entry ${index + 1})`,
			'has no model',
			'Select a model from the list, or remove the entry.',
		);
	});
}
