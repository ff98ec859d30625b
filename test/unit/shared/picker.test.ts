import { matching, pickerField } from '../../../nodes/shared/fields/picker';

const settings = {
	displayName: 'Model',
	name: 'model',
	description: 'The model to use',
	searchListMethod: 'searchModels',
	placeholder: 'e.g. small',
};

describe('A picker', () => {
	it('shows its default in the list, so that the other entries are one click away', () => {
		const { default: preset } = pickerField({ ...settings, defaultValue: 'large' });
		expect(preset).toEqual({ mode: 'list', value: 'large', cachedResultName: 'large' });
	});

	it('shows the name of its default', () => {
		const { default: preset } = pickerField({ ...settings, defaultValue: 'auto', defaultName: 'Automatic' });
		expect(preset).toEqual({ mode: 'list', value: 'auto', cachedResultName: 'Automatic' });
	});

	it('is empty without a default', () => {
		expect(pickerField({ ...settings, defaultValue: '' }).default).toEqual({ mode: 'list', value: '' });
	});

	it('finds entries in any case, sorted by name', () => {
		const entries = ['Zoe', 'anna', 'Joanna'].map((name) => ({ name, value: name }));
		expect(matching(' ANN ', entries).map(({ name }) => name)).toEqual(['anna', 'Joanna']);
	});
});
