import { configure } from '@testing-library/dom';

// What a screen shows at last is waited for; how long that takes a busy machine is no promise of the product.
configure({ asyncUtilTimeout: 10_000 });
