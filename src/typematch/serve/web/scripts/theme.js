// Before anything is drawn: the colours that were chosen here, else those of the system.
const chosen = localStorage.getItem("typematch-theme");
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
