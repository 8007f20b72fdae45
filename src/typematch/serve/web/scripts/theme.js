// Runs before the first paint: the chosen theme, else that of the system.
const chosen = localStorage.getItem("typematch-theme");
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
