export const ADDRESS_LENGTH = 300;
export const TAX_NUMBER_LENGTH = 40;
