import { numberField } from '../shared/fields/field';

/** Makes the option for how many texts share a request. */
export function batchSizeOption(size: number, description: string) {
	const typeOptions = { minValue: 1, numberPrecision: 0 };
	return numberField('Batch Size', 'batchSize', size, description, { typeOptions });
}
